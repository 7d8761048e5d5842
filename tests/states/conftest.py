"""Tabs that are signed in."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine

from marketplace_app import db
from marketplace_app.models import User
from marketplace_app.services import sessions
from marketplace_app.states.events import base

SignInAs = Callable[[User], None]


@pytest.fixture
def sign_in_as(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> SignInAs:
    """Events come from a tab of this user from then on."""

    def sign_in(person: User) -> None:
        token = db.write(lambda s: sessions.start(s, s.get_one(User, person.id)))
        monkeypatch.setattr(base, "session_token_of", lambda _state: token)

    return sign_in
