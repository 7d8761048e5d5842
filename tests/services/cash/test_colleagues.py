"""Who may witness a count (RULE shifts)."""

from sqlmodel import Session

from marketplace_app.models import Role
from marketplace_app.services.cash import colleagues
from tests.builders import make_user
from tests.conftest import Cast
from tests.services.dispatch.test_runs import call


def test_witnesses_are_all_others_who_work_for_the_shop(session: Session, cast: Cast) -> None:
    make_user(session, "sam", role=Role.SUPPORT)
    make_user(session, "dora", role=Role.DRIVER)
    make_user(session, "vera", role=Role.VIEWER, is_banned=True)
    session.commit()
    assert [person.name for person in call(cast.ada, colleagues.list_witnesses)] == ["Dora", "Sam"]
