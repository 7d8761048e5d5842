"""Reading the audit trail."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.models import AuditEntry, Counter, Invitation, LegalPage, Order, Permission, Product, Role, User
from marketplace_app.schemas.admin.audit import NO_ACTOR, AuditQuery, ChainAnswer, Colleague, EntryView
from marketplace_app.services.accounts import require
from marketplace_app.services.admin.audit_sentences import predicate_of
from marketplace_app.services.records import audit_chain, audit_log

THE_STORE = "The store"
DELETED_ACCOUNT = "A deleted account"
_PAGES = {
    "order": "/admin/orders/{}",
    "user": "/admin/users/{}",
    "product": "/admin/products/{}",
    "legal": "/admin/legal?page={}",
}
_LISTS = {
    "products": "/admin/products",
    "invitations": "/admin/invitations",
    "setting": "/admin/settings",
    "synonym": "/admin/search",
    "zone": "/admin/delivery",
    "window": "/admin/delivery",
    "closure": "/admin/delivery",
    "rules": "/admin/rules",
    "run": "/admin/dispatch",
}
_NAMES_OF_KINDS = {"batch": "batch", "synonym": "a synonym", "window": "the window", "zone": "the zone"}
"""What a subject of these kinds is called; the details of its entry say which one it is."""


def list_entries(session: Session, actor: User | None, query: AuditQuery) -> tuple[int, tuple[EntryView, ...]]:
    """The number of entries that match the filters, and one page of them, newest first."""
    require(actor, Permission.SEE_AUDIT)
    conditions = _conditions(session, query)
    ids = select(col(AuditEntry.id)).where(*conditions).order_by(col(AuditEntry.id).desc())
    page = select(AuditEntry).where(col(AuditEntry.id).in_(ids.limit(query.limit).offset(query.offset)))
    found = session.execute(page.order_by(col(AuditEntry.id).desc())).scalars().all()
    return _total(session, query, conditions), _views(session, found)


def list_colleagues(session: Session, actor: User | None) -> tuple[Colleague, ...]:
    """Staff and drivers, for the filter by actor."""
    require(actor, Permission.SEE_AUDIT)
    staff = select(User).where(col(User.role) != Role.CUSTOMER, col(User.deleted_at).is_(None)).order_by(col(User.id))
    return tuple(Colleague(user.id, _actor_name(user)) for user in session.execute(staff).scalars())


def check_next_batch(session: Session, actor: User | None, so_far: ChainAnswer) -> ChainAnswer:
    """Check one more batch of the chain."""
    require(actor, Permission.SEE_AUDIT)
    return audit_chain.check_next_batch(session, so_far)


def check_all(session: Session, actor: User | None) -> ChainAnswer:
    """Check the whole chain."""
    require(actor, Permission.SEE_AUDIT)
    return audit_chain.check_all(session)


def _conditions(session: Session, query: AuditQuery) -> list[ColumnElement[bool]]:
    timezone, at = get_settings().timezone, col(AuditEntry.created_at)
    clauses: list[ColumnElement[bool]] = []
    if query.actor is not None:
        actor = col(AuditEntry.actor_id)
        clauses.append(actor.is_(None) if query.actor == NO_ACTOR else actor == query.actor)
    if query.action:
        clauses.append(col(AuditEntry.action) == query.action)
    if query.subject:
        clauses.append(col(AuditEntry.subject) == _recorded_subject(session, query.subject))
    if query.day_from is not None:
        clauses.append(at >= clock.start_of_day(query.day_from, timezone))
    if query.day_to is not None:
        clauses.append(at < clock.start_of_day(query.day_to + timedelta(days=1), timezone))
    return clauses


def _recorded_subject(session: Session, subject: str) -> str:
    """The subject as entries name it. An order may be given by its number: `order:1036` or `1036`."""
    kind, _, number = subject.strip().rpartition(":")
    if kind not in ("", "order") or not (number.isascii() and number.isdigit() and len(number) <= 9):
        return subject.strip()
    order_id = session.execute(select(col(Order.id)).where(col(Order.number) == int(number))).scalar()
    return f"order:{order_id}"


def _total(session: Session, query: AuditQuery, conditions: Sequence[ColumnElement[bool]]) -> int:
    if not query.is_filtered:  # the head of the chain counts all entries
        return session.get_one(Counter, audit_log.AUDIT_HEAD).value
    return int(session.execute(select(func.count()).select_from(AuditEntry).where(*conditions)).scalar_one())


def _views(session: Session, entries: Sequence[AuditEntry]) -> tuple[EntryView, ...]:
    users = _users(session, entries)
    subject_names = _subject_names(session, entries)
    subject_names |= {f"user:{user_id}": _user_name(user) for user_id, user in users.items()}
    actor_names = {user_id: _actor_name(user) for user_id, user in users.items()}
    return tuple(_view(entry, actor_names, subject_names) for entry in entries)


def _view(entry: AuditEntry, actor_names: dict[int, str], subject_names: dict[str, str]) -> EntryView:
    kind, _, key = entry.subject.partition(":")
    subject = subject_names.get(entry.subject) or (f"{kind} {key[:8]}" if key else kind)
    return EntryView(
        id=entry.id,
        at=entry.created_at,
        actor_id=entry.actor_id,
        actor=THE_STORE if entry.actor_id is None else actor_names.get(entry.actor_id, DELETED_ACCOUNT),
        action=entry.action,
        subject=entry.subject,
        words=predicate_of(entry.action, key if kind == "setting" else subject, entry.details),
        href=_PAGES[kind].format(key) if key and kind in _PAGES else _LISTS.get(kind, ""),
        details=dict(entry.details),
        previous_hash=entry.previous_hash,
        hash=entry.hash,
    )


def _users(session: Session, entries: Sequence[AuditEntry]) -> dict[int, User]:
    """The users that acted or were acted upon, in one query."""
    wanted = {entry.actor_id for entry in entries if entry.actor_id is not None} | set(map(int, _keys(entries, "user")))
    found = session.execute(select(User).where(col(User.id).in_(wanted))).scalars()
    return {user.id: user for user in found}


def _subject_names(session: Session, entries: Sequence[AuditEntry]) -> dict[str, str]:
    """What subjects other than users are called. One query for all orders, one for all products, and so on."""
    orders = select(col(Order.id), col(Order.number)).where(col(Order.id).in_(_keys(entries, "order")))
    names = {f"order:{key}": f"order {number}" for key, number in session.execute(orders)}
    numbers = list(map(int, _keys(entries, "product")))
    products = select(col(Product.id), col(Product.name)).where(col(Product.id).in_(numbers))
    names |= {f"product:{key}": name for key, name in session.execute(products)}
    numbers = list(map(int, _keys(entries, "invitation")))
    invitations = select(col(Invitation.id), col(Invitation.email)).where(col(Invitation.id).in_(numbers))
    for key, email in session.execute(invitations):
        names[f"invitation:{key}"] = f"the invitation of {email}" if email else f"invitation {key}"
    for entry in entries:
        kind, _, key = entry.subject.partition(":")
        if kind in _NAMES_OF_KINDS:
            names[entry.subject] = _NAMES_OF_KINDS[kind]
        elif kind == "closure":
            names[entry.subject] = key
        elif kind == "rules":
            names[entry.subject] = f"the rules of {entry.details['state']}"
    return names | {f"legal:{page}": page.label for page in LegalPage}


def _keys(entries: Iterable[AuditEntry], kind: str) -> list[str]:
    parts = (entry.subject.partition(":") for entry in entries)
    return sorted({key for name, _, key in parts if name == kind and key and (kind == "order" or key.isdigit())})


def _user_name(user: User) -> str:
    return user.full_name or user.verified_email or DELETED_ACCOUNT


def _actor_name(user: User) -> str:
    """An actor by the address they signed in with: names and the profile's email can be edited."""
    if not user.full_name or not user.verified_email:
        return _user_name(user)
    return f"{user.full_name} ({user.verified_email})"
