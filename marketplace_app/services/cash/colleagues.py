"""Who may witness a count of cash, and the names of those who took part (RULE shifts)."""

from collections.abc import Iterable, Mapping

from sqlalchemy import Select, select
from sqlmodel import Session, col

from marketplace_app import cash_messages
from marketplace_app.errors import InvalidInput
from marketplace_app.models import Permission, Role, User
from marketplace_app.schemas.dispatch.runs import PersonRef
from marketplace_app.services.accounts import author_name, require


def list_witnesses(session: Session, actor: User | None) -> tuple[PersonRef, ...]:
    """Everybody else who works for the shop, sorted by name."""
    staff = require(actor, Permission.HANDLE_CASH)
    colleagues = session.execute(_colleagues_of(staff.id)).scalars()
    witnesses = [PersonRef(id=user.id, name=author_name(user)) for user in colleagues]
    return tuple(sorted(witnesses, key=lambda each: (each.name.casefold(), each.id)))


def works_alone(session: Session, user_id: int) -> bool:
    """Whether nobody else works for the shop, so that there can be no witness."""
    return session.execute(_colleagues_of(user_id).limit(1)).first() is None


def check_witness(session: Session, actor: User, witness_id: int | None) -> None:
    """Raises InvalidInput if a witness is named who may not be one. None names nobody, and is allowed."""
    if witness_id is None:
        return
    named = _colleagues_of(actor.id).where(col(User.id) == witness_id)
    if session.execute(named).first() is None:
        raise InvalidInput({"witnessId": cash_messages.WITNESS_EXPECTED})


def names(session: Session, user_ids: Iterable[int | None]) -> Mapping[int, str]:
    wanted = {each for each in user_ids if each is not None}
    found = session.execute(select(User).where(col(User.id).in_(wanted))).scalars() if wanted else ()
    return {user.id: author_name(user) for user in found}


def _colleagues_of(user_id: int) -> Select[User]:
    return select(User).where(
        col(User.role) != Role.CUSTOMER,
        col(User.id) != user_id,
        col(User.deleted_at).is_(None),
        col(User.banned_at).is_(None),
    )
