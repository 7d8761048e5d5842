"""Users, as staff list and view them. `user_actions` has what staff do to them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, func, select
from sqlmodel import Session, col

from marketplace_app.adapters import search
from marketplace_app.errors import NotFound
from marketplace_app.limits import LATEST_PER_USER, MAX_UNPAGED_USERS
from marketplace_app.messages import USER_NOT_FOUND
from marketplace_app.models import CreditEntry, Order, OrderStatus, Permission, Role, Ticket, User
from marketplace_app.schemas.admin.user import RelatedUser, SessionView, UserDetailAnswer, UserOrder, UserTicket
from marketplace_app.schemas.admin.users import AdminUserView, UserFilter, UserQuery, UserSortKey, view_of
from marketplace_app.services import accounts, referrals, sessions
from marketplace_app.services.accounts import require
from marketplace_app.services.dispatch import stop_records

_FILTERS: dict[UserFilter, ColumnElement[bool]] = {
    UserFilter.ACTIVE: col(User.banned_at).is_(None),
    UserFilter.BANNED: col(User.banned_at).is_not(None),
    UserFilter.STAFF: col(User.role) != Role.CUSTOMER,  # drivers too
}


def list_all(session: Session, actor: User | None, query: UserQuery) -> tuple[int, tuple[AdminUserView, ...]]:
    """The number of users that match the filters, and one page of them."""
    require(actor, Permission.SEE_USERS)
    conditions = _conditions(query)
    total = session.execute(select(func.count()).select_from(User).where(*conditions)).scalar_one()
    page = _sorted(select(User).where(*conditions), query)
    found = session.execute(page.limit(query.limit or MAX_UNPAGED_USERS).offset(query.offset)).scalars().all()
    return int(total), _views(session, found)


def get(session: Session, actor: User | None, user_id: int) -> UserDetailAnswer:
    """One user, with their latest orders, tickets and so on. Raises NotFound."""
    require(actor, Permission.SEE_USERS)
    user = find(session, user_id)
    referrer = session.get(User, user.referred_by_id) if user.referred_by_id else None
    return UserDetailAnswer(
        **dict(show(session, user)),
        verified_email=user.verified_email,
        referrer=_related(referrer) if referrer else None,
        is_age_verified=user.age_verified_at is not None,
        is_owner_by_settings=accounts.is_owner_by_settings(user),
        orders=_orders(session, user_id),
        tickets=_tickets(session, user_id),
        referrals=_referrals(session, user_id),
        statement=referrals.list_statement(session, user),
        sessions=tuple(SessionView.of(each) for each in sessions.list_live(session, user_id)),
        failed_deliveries=stop_records.count_failures(session, user_id),
    )


def find(session: Session, user_id: int) -> User:
    """A user who has not been deleted. Raises NotFound."""
    user = session.get(User, user_id)
    if user is None or user.deleted_at is not None:
        raise NotFound(USER_NOT_FOUND)
    return user


def show(session: Session, user: User) -> AdminUserView:
    return _views(session, [user])[0]


def _conditions(query: UserQuery) -> list[ColumnElement[bool]]:
    words = [col(User.search_text).contains(word) for word in search.words_of(query.q)]
    chosen = [_FILTERS[query.status]] if query.status else []
    return [col(User.deleted_at).is_(None), *chosen, *words]


def _sorted(users: Select[Any], query: UserQuery) -> Select[Any]:
    key: Any = col(User.search_text) if query.sort is UserSortKey.NAME else col(User.created_at)
    if query.sort in (UserSortKey.SPENT, UserSortKey.ORDERS):
        totals = _order_totals()
        users = users.outerjoin(totals, totals.c.user_id == col(User.id))
        key = func.coalesce(totals.c.spent if query.sort is UserSortKey.SPENT else totals.c.orders, 0)
    keys = (key, col(User.id))
    return users.order_by(*keys) if query.is_ascending else users.order_by(*(each.desc() for each in keys))


def _order_totals(ids: Sequence[int] | None = None) -> Subquery:
    """For each user who ordered: the number of orders and their sum (RULE totals-of-a-person)."""
    conditions = [col(Order.deleted_at).is_(None), col(Order.status) != OrderStatus.CANCELLED]
    if ids is not None:
        conditions.append(col(Order.user_id).in_(ids))
    statement = select(
        col(Order.user_id), func.count().label("orders"), func.sum(col(Order.total_cents)).label("spent")
    )
    return statement.where(*conditions).group_by(col(Order.user_id)).subquery()


def _views(session: Session, users: Sequence[User]) -> tuple[AdminUserView, ...]:
    ids = [user.id for user in users]
    totals = _order_totals(ids)
    bought = {
        user_id: (orders, int(spent))
        for user_id, orders, spent in session.execute(select(totals.c.user_id, totals.c.orders, totals.c.spent))
    }
    ledger = (
        select(col(CreditEntry.user_id), func.sum(col(CreditEntry.amount_cents)))
        .where(col(CreditEntry.user_id).in_(ids))
        .group_by(col(CreditEntry.user_id))
    )
    credit = {user_id: int(cents) for user_id, cents in session.execute(ledger)}
    return tuple(
        view_of(user, *bought.get(user.id, (0, 0)), referral_credit_cents=credit.get(user.id, 0)) for user in users
    )


def _latest(session: Session, table: type[Any], condition: ColumnElement[bool]) -> Sequence[Any]:
    statement = select(table).where(condition).order_by(col(table.created_at).desc(), col(table.id).desc())
    return session.execute(statement.limit(LATEST_PER_USER)).scalars().all()


def _orders(session: Session, user_id: int) -> tuple[UserOrder, ...]:
    own = (col(Order.user_id) == user_id) & col(Order.deleted_at).is_(None)
    return tuple(UserOrder.of(order) for order in _latest(session, Order, own))


def _tickets(session: Session, user_id: int) -> tuple[UserTicket, ...]:
    return tuple(UserTicket.of(ticket) for ticket in _latest(session, Ticket, col(Ticket.user_id) == user_id))


def _referrals(session: Session, user_id: int) -> tuple[RelatedUser, ...]:
    """Without deleted accounts, which have no page that could be opened."""
    referred = (col(User.referred_by_id) == user_id) & col(User.deleted_at).is_(None)
    return tuple(_related(user) for user in _latest(session, User, referred))


def _related(user: User) -> RelatedUser:
    return RelatedUser(id=user.id, name=accounts.author_name(user), created_at=user.created_at)
