"""The actor is looked up in every transaction, so it must be cheap."""

from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.auth import acting
from marketplace_app.models import User
from marketplace_app.services import sessions
from tests.conftest import Cast
from tests.counting import count_statements


def test_identifying_the_actor_takes_one_statement(engine: Engine, cast: Cast) -> None:
    token = db.write(lambda session: sessions.start(session, cast.alice))

    def name(_session: Session, actor: User | None) -> str:
        return actor.first_name if actor else "nobody"

    with count_statements(engine) as asked:
        assert acting.read(token, name) == "Alice"
        assert acting.write(token, name) == "Alice"
    assert len(asked) == 2
