"""Referrals: codes, applying one, and the credit that is earned with it (RULE referral-apply)."""

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from marketplace_app import codes, messages
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.messages import Notice
from marketplace_app.models import CreditEntry, CreditReason, Order, OrderStatus, User
from marketplace_app.schemas.account.referrals import (
    ApplyForm,
    CreditState,
    ReferralStats,
    ReferralsView,
    StatementLine,
    Welcome,
)
from marketplace_app.services import credits, settings
from marketplace_app.services.accounts import lock, require_signed_in
from marketplace_app.services.buying import quotes
from marketplace_app.services.records import announcements, audit_log, counters

STATEMENT_LINES = 20
_STATES = {
    CreditReason.REFERRAL: CreditState.EARNED,
    CreditReason.REVERSAL: CreditState.REVERSED,
    CreditReason.SPENT: CreditState.SPENT,
    CreditReason.REFUND: CreditState.REFUNDED,
    CreditReason.ADJUSTMENT: CreditState.ADJUSTED,
    CreditReason.CHANGE: CreditState.CHANGE,
    CreditReason.CHANGE_RETURNED: CreditState.CHANGE_RETURNED,
}


class UnknownCode(NotFound):
    code = "unknown_referral_code"
    message = "This referral code does not exist. Please check it and try again."


class OwnCode(Conflict):
    code = "own_referral_code"
    message = "This is your own referral code. Share it with your friends."


class AlreadyReferred(Conflict):
    code = "already_referred"
    message = "You have already used a referral code."


class NotFirstPurchase(Conflict):
    code = "not_first_purchase"
    message = "Referral codes are for a first purchase, and you have already ordered."


class ReferralLoop(Conflict):
    code = "referral_loop"
    message = "You cannot use this code: its owner was referred by you, or by someone you referred."


def my_code(session: Session, actor: User | None) -> str:
    """The caller's own code, created on first use."""
    user = require_signed_in(actor)
    if user.referral_code is None:
        user = lock(session, user)
    while user.referral_code is None:
        try:
            with session.begin_nested():
                user.referral_code = codes.new_referral_code()
                session.add(user)
        except IntegrityError:  # somebody already has this code
            session.refresh(user)
    return user.referral_code


def stats(session: Session, actor: User | None) -> ReferralStats:
    """Delivered orders of referred users, and the credit that can be spent."""
    user = require_signed_in(actor)
    statement = select(func.count()).where(
        col(Order.referrer_id) == user.id, col(Order.status) == OrderStatus.DELIVERED, col(Order.deleted_at).is_(None)
    )
    return ReferralStats(
        completed_referrals=session.execute(statement).scalar_one(),
        available_credit_cents=credits.balance(session, user.id),
    )


def show(session: Session, actor: User | None) -> ReferralsView:
    """The referral panel. Creates the code on first use."""
    user = require_signed_in(actor)
    referrer = session.get(User, user.referred_by_id) if user.referred_by_id else None
    return ReferralsView(
        code=my_code(session, user),
        stats=stats(session, user),
        referred_by=name_of(referrer) if referrer else "",
        can_apply=not _was_referred(user) and not quotes.standing_of(session, user.id).has_ordered,
        statement=list_statement(session, user),
    )


def apply(session: Session, actor: User | None, form: ApplyForm) -> str:
    """Record who referred the caller, once and for all; returns the referrer's name.

    Raises UnknownCode, OwnCode, AlreadyReferred, NotFirstPurchase, ReferralLoop; then nothing is written.
    """
    user = lock(session, require_signed_in(actor))
    counters.lock(session, counters.REFERRALS)  # of two who apply each other's code at once, the second sees the loop
    referrer = _find_referrer(session, form.referral_code)
    if referrer.id == user.id:
        raise OwnCode()
    if _was_referred(user):
        raise AlreadyReferred()
    if quotes.standing_of(session, user.id).has_ordered:
        raise NotFirstPurchase()
    if user.id in _ancestors(session, referrer):
        raise ReferralLoop()
    user.referred_by_id = referrer.id
    session.add(user)
    audit_log.append(session, user, "referral.applied", f"user:{user.id}", referrer=referrer.id)
    announcements.publish(session, live.user(user.id))
    return name_of(referrer)


def welcome(session: Session, _actor: User | None, code: str) -> Welcome | None:
    """Who sent a referral link and what it is worth; None if the code is unknown or there is no discount."""
    sender = _holder(session, code) if code else None
    discount = settings.current(session).referral_discount_cents
    return Welcome(name_of(sender), discount) if sender is not None and discount else None


def apply_link(session: Session, actor: User | None, code: str) -> Notice | None:
    """Apply the code of a referral link for a user who has just signed in; returns the notice to show, if any.

    A link that cannot be applied is no error; only users who have ordered before are told why.
    """
    try:
        name = apply(session, actor, ApplyForm(referralCode=code))
    except NotFirstPurchase as error:
        return Notice(messages.WELCOME_BACK, error.message)
    except (UnknownCode, OwnCode, AlreadyReferred, ReferralLoop):
        return None
    return messages.referred_by(name, settings.current(session).referral_discount_cents)


def list_statement(session: Session, user: User) -> tuple[StatementLine, ...]:
    """A user's pending credit and credit entries, newest first; at most STATEMENT_LINES."""
    lines = [*_pending(session, user), *_entries(session, user)]
    return tuple(sorted(lines, key=lambda line: line.at, reverse=True)[:STATEMENT_LINES])


def name_of(user: User) -> str:
    """Only the first name: codes can be guessed, so they must not reveal much."""
    return user.first_name or "a friend"


def _was_referred(user: User) -> bool:
    """True also if that was before they erased their account and signed up again: the discount is given once (RULE
    kept-after-deletion)."""
    return user.referred_by_id is not None or user.referral_bonus_used


def _find_referrer(session: Session, code: str) -> User:
    found = _holder(session, code)
    if found is None:
        raise UnknownCode()
    return found


def _holder(session: Session, code: str) -> User | None:
    found: User | None = session.execute(select(User).where(col(User.referral_code) == code)).scalar_one_or_none()
    return found if found is not None and found.is_active else None


def _ancestors(session: Session, user: User) -> set[int]:
    """The user and everybody who referred them, directly or indirectly."""
    above: set[int] = set()
    user_id = user.id
    while user_id is not None and user_id not in above:
        above.add(user_id)
        statement = select(col(User.referred_by_id)).where(col(User.id) == user_id)
        user_id = session.execute(statement).scalar_one()
    return above


def _pending(session: Session, user: User) -> list[StatementLine]:
    """Pending credit: orders of referred users that are not delivered yet."""
    statement = (
        select(Order, User)
        .join(User, col(User.id) == col(Order.user_id))
        .where(
            col(Order.referrer_id) == user.id,
            col(Order.status).not_in([status for status in OrderStatus if status.is_ended]),
            col(Order.deleted_at).is_(None),
        )
        .order_by(col(Order.created_at).desc())
        .limit(STATEMENT_LINES)
    )
    return [
        StatementLine(
            at=order.created_at,
            what=name_of(friend),
            state=CreditState.PENDING,
            amount_cents=order.referral_credit_cents,
        )
        for order, friend in session.execute(statement)
    ]


def _entries(session: Session, user: User) -> list[StatementLine]:
    entries = (
        select(CreditEntry, Order, User)
        .outerjoin(Order, col(Order.id) == col(CreditEntry.order_id))
        .outerjoin(User, col(User.id) == col(Order.user_id))
        .where(col(CreditEntry.user_id) == user.id)
        .order_by(col(CreditEntry.id).desc())
        .limit(STATEMENT_LINES)
    )
    return [
        StatementLine(
            at=entry.created_at,
            what=_subject(user, order, buyer),
            state=_STATES[entry.reason],
            amount_cents=entry.amount_cents,
        )
        for entry, order, buyer in session.execute(entries)
    ]


def _subject(user: User, order: Order | None, buyer: User | None) -> str:
    if order is None or buyer is None:
        return "By the store"
    return f"Order {order.number}" if buyer.id == user.id else name_of(buyer)
