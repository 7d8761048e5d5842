"""Terms, privacy, compliance and returns as the shop's owners write them. A published version never changes."""

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.models import LegalPage, LegalText, Permission, User
from marketplace_app.schemas.legal_texts import LegalTextAnswer, LegalTextForm, LegalVersion
from marketplace_app.services.accounts import author_name, require
from marketplace_app.services.records import announcements, audit_log, counters

NOT_WRITTEN = "This text has not been written yet."


class LegalTextChanged(Conflict):
    code = "legal_text_changed"

    def __init__(self, newest: int, given: int) -> None:
        was_published = f"Version {newest} was published while you were writing."
        why = was_published if newest > given else f"There is no version {given}."
        super().__init__(f"{why} Copy your text, then reload the page.")


def find(session: Session, _actor: User | None, page: LegalPage) -> LegalTextAnswer | None:
    """The current text, for everybody; None until an owner has written it."""
    row = _newest(session, page)
    return _view(row) if row else None


def get(session: Session, actor: User | None, page: LegalPage) -> LegalTextAnswer:
    """Raises NotFound until an owner has written it."""
    text = find(session, actor, page)
    if text is None:
        raise NotFound(NOT_WRITTEN)
    return text


def list_current(session: Session, actor: User | None) -> tuple[LegalTextAnswer, ...]:
    """The pages that have a text, for staff."""
    require(actor, Permission.SEE_SETTINGS)
    return tuple(_view(row) for page in LegalPage if (row := _newest(session, page)))


def list_versions(session: Session, actor: User | None, page: LegalPage) -> tuple[LegalVersion, ...]:
    """Newest first, at most 100."""
    require(actor, Permission.SEE_SETTINGS)
    statement = (
        select(LegalText, User)
        .outerjoin(User, col(User.id) == col(LegalText.author_id))
        .where(col(LegalText.page) == page)
        .order_by(col(LegalText.version).desc())
        .limit(100)
    )
    return tuple(
        LegalVersion(version=text.version, author=author_name(user), published_at=text.created_at)
        for text, user in session.execute(statement)
    )


def get_version(session: Session, actor: User | None, page: LegalPage, version: int) -> LegalTextAnswer:
    """An earlier version, for staff. Raises NotFound."""
    require(actor, Permission.SEE_SETTINGS)
    statement = select(LegalText).where(col(LegalText.page) == page, col(LegalText.version) == version)
    row = session.execute(statement).scalar_one_or_none()
    if row is None:
        raise NotFound(NOT_WRITTEN)
    return _view(row)


def publish(session: Session, actor: User | None, page: LegalPage, form: LegalTextForm) -> LegalTextAnswer:
    """Publish a new version; unchanged text makes none. Raises LegalTextChanged if `form.version` is not the newest."""
    owner = require(actor, Permission.EDIT_SETTINGS)
    counters.lock(session, counters.SETTINGS)  # of two owners who publish at once, the second sees the first's version
    newest = _newest(session, page)
    version = newest.version if newest else 0
    if version != form.version:
        raise LegalTextChanged(version, form.version)
    if newest is not None and newest.body == form.body:
        return _view(newest)
    row = LegalText(page=page, version=version + 1, body=form.body, author_id=owner.id)
    session.add(row)
    session.flush()
    audit_log.append(session, owner, "legal.published", f"legal:{page}", version=row.version)
    announcements.publish(session, live.STAFF)
    return _view(row)


def count_unwritten(session: Session) -> int:
    """The number of pages without a text."""
    written = session.execute(select(func.count(func.distinct(col(LegalText.page))))).scalar_one()
    return len(LegalPage) - int(written)


def _newest(session: Session, page: LegalPage) -> LegalText | None:
    statement = select(LegalText).where(col(LegalText.page) == page).order_by(col(LegalText.version).desc())
    return session.execute(statement.limit(1)).scalar_one_or_none()


def _view(row: LegalText) -> LegalTextAnswer:
    return LegalTextAnswer(
        page=row.page, title=row.page.label, version=row.version, body=row.body, published_at=row.created_at
    )
