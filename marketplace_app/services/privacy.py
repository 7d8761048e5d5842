"""A user's own data: export and erasure (RULE data-export, RULE account-deletion)."""

from collections.abc import Sequence, Set
from typing import Any

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlmodel import Session, col

from marketplace_app import clock, money
from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, NotSignedIn
from marketplace_app.models import (
    Address,
    CartLine,
    CreditEntry,
    ErasedIdentity,
    IdempotencyKey,
    Invitation,
    InvitationStatus,
    Order,
    OrderStatus,
    OutboxMessage,
    Preferences,
    Role,
    SavedProduct,
    SignInSession,
    StockAlert,
    User,
)
from marketplace_app.models.users import ERASED
from marketplace_app.services import accounts, referrals, run_stops, sessions
from marketplace_app.services.account import addresses, invitations, preferences
from marketplace_app.services.accounts import require_signed_in
from marketplace_app.services.buying import cart, fulfilment, orders, saved
from marketplace_app.services.cash import ledger
from marketplace_app.services.dispatch import stop_records
from marketplace_app.services.jurisdictions import records
from marketplace_app.services.order_batches import questions, recall_notices
from marketplace_app.services.records import announcements, audit_log
from marketplace_app.services.support import tickets


class OrderOutForDelivery(Conflict):
    code = "order_out_for_delivery"
    message = "One of your orders is out for delivery. You can delete your account once it has been delivered."


def export(session: Session, actor: User | None) -> dict[str, Any]:
    """Everything that the store keeps about the caller, as JSON."""
    user = require_signed_in(actor)
    birth_dates = records.export(session, user)
    deliveries = stop_records.export_of(session, user)
    recalls = recall_notices.export(session, user)
    asked = questions.export(session, user)
    return {
        "exportedAt": clock.iso(clock.now()),
        "account": accounts.show(session, user).wire(),
        "addresses": [address.wire() for address in addresses.list_own(session, user)],
        "cart": [line.wire() for line in cart.list_lines_of(session, user)],
        "saved": [each.wire() for each in saved.list_own(session, user)],
        "stockAlerts": [
            {"productId": each.product_id, "askedAt": clock.iso(each.asked_at)}
            for each in session.execute(_own(StockAlert, user).order_by(col(StockAlert.id))).scalars()
        ],
        "orders": [order.without_door_pin().wire() for order in orders.list_for_export(session, user)],
        "preferences": preferences.show(session, user).wire(),
        "referrals": referrals.stats(session, user).wire() | {"referralCode": user.referral_code},
        "credit": _credit(session, user),
        "invitations": _invitations(session, user),
        "tickets": tickets.export(session, user),
        "sessions": [
            {"createdAt": clock.iso(each.created_at), "lastSeenAt": clock.iso(each.last_seen_at)}
            for each in session.execute(_own(SignInSession, user)).scalars()
        ],
        **({"orderRecords": birth_dates} if birth_dates else {}),
        **({"deliveries": deliveries} if deliveries else {}),
        **({"recalls": recalls} if recalls else {}),
        **({"batchQuestions": asked} if asked else {}),
    }


def _credit(session: Session, user: User) -> list[dict[str, Any]]:
    return [
        {
            "amount": money.decimal(entry.amount_cents),
            "reason": entry.reason,
            "createdAt": clock.iso(entry.created_at),
        }
        for entry in session.execute(_own(CreditEntry, user).order_by(col(CreditEntry.id))).scalars()
    ]


def _invitations(session: Session, user: User) -> list[dict[str, Any]]:
    return [
        {
            "email": each.email,
            "firstName": each.first_name,
            "lastName": each.last_name,
            "notes": each.notes,
            "status": each.status,
            "createdAt": clock.iso(each.created_at),
        }
        for each in session.execute(select(Invitation).where(_is_invited(user))).scalars()
    ]


def erase(session: Session, actor: User | None) -> None:
    """Erase the caller's account. Raises OrderOutForDelivery, OutOnRun, CarriesCash or LastOwner; then nothing is
    changed.

    Open orders are cancelled. Orders stay as sales, without name, address and contact. A keyed hash of the identity
    stays too.
    """
    user = require_signed_in(actor)
    if user.role is Role.OWNER:
        accounts.require_another_owner(session, user)
    user = accounts.lock_exclusively(session, user)
    if user.deleted_at is not None:
        raise NotSignedIn()
    stop_records.require_not_out(session, user)
    ledger.require_no_cash(session, user)
    placed = session.execute(_own(Order, user)).scalars().all()
    if any(order.status is OrderStatus.OUT_FOR_DELIVERY for order in placed):
        raise OrderOutForDelivery()
    _cancel(session, user, [order for order in placed if order.status in fulfilment.BEFORE_DISPATCH])
    addresses_of_orders = {order.customer_email for order in placed}
    _record_erased_identity(session, user)
    _anonymize_orders(session, user)
    records.erase_for(session, user)
    stop_records.erase_for(session, user)
    for table in (Address, CartLine, IdempotencyKey, Preferences, SavedProduct, StockAlert):
        session.execute(delete(table).where(_user_id(table) == user.id))
    _erase_mail(session, user, addresses_of_orders)
    tickets.erase(session, user)
    _anonymize_invitations(session, user)
    sessions.end_all(session, user)
    audit_log.append(session, user, "account.deleted", f"user:{user.id}")
    _anonymize_account(user)
    session.add(user)
    announcements.publish(session, live.STAFF)


def _cancel(session: Session, user: User, open_orders: Sequence[Order]) -> None:
    """Cancel orders. The products, slots and runs of all of them are locked before the first one is cancelled, which
    writes to the audit trail (RULE lock-order)."""
    order_ids = [order.id for order in open_orders]
    fulfilment.lock_orders(session, order_ids)
    run_stops.lock_runs_of(session, order_ids)
    for order in open_orders:
        fulfilment.change_status(session, user, order, user, OrderStatus.CANCELLED)


def _own(table: type[Any], user: User) -> Any:
    return select(table).where(_user_id(table) == user.id)


def _user_id(table: type[Any]) -> Any:
    return col(table.user_id)


def _record_erased_identity(session: Session, user: User) -> None:
    session.merge(
        ErasedIdentity(
            identity_hash=accounts.identity_hash(user.issuer, user.subject),
            first_purchase_discount_used=user.first_purchase_discount_used,
            referral_bonus_used=user.referral_bonus_used,
            ban_reason=user.ban_reason,
        )
    )


def _anonymize_orders(session: Session, user: User) -> None:
    emptied = dict.fromkeys(
        (
            "customer_name",
            "customer_email",
            "search_text",
            "contact_phone",
            "delivery_address",
            "street",
            "city",
            "state",
            "zip_code",
            "delivery_instructions",
            "payment_instructions",
        ),
        "",
    )
    session.execute(update(Order).where(col(Order.user_id) == user.id).values(emptied))


def _erase_mail(session: Session, user: User, addresses_of_orders: Set[str]) -> None:
    """Delete all mail to the addresses of the account and of its orders. Other addresses at which the user was invited
    or answered may be somebody else's by now: of the mail to them, only invitations and answers are deleted."""
    to, kind = col(OutboxMessage.recipient), col(OutboxMessage.kind)
    invited = select(col(Invitation.email)).where(_is_invited(user))
    is_theirs = or_(
        to.in_({user.email, user.verified_email, *addresses_of_orders}),
        (kind == invitations.MAIL) & to.in_(invited),
        (kind == tickets.ANSWER_MAIL) & to.in_(tickets.addresses_of(user)),
    )
    session.execute(delete(OutboxMessage).where(is_theirs).execution_options(synchronize_session=False))


def _anonymize_invitations(session: Session, user: User) -> None:
    """Empty the invitations that the user accepted or was sent; open ones are revoked."""
    emptied = dict.fromkeys(("email", "first_name", "last_name", "notes", "accepted_email"), "")
    is_open = col(Invitation.status) == InvitationStatus.PENDING
    session.execute(update(Invitation).where(_is_invited(user), is_open).values(status=InvitationStatus.REVOKED))
    session.execute(update(Invitation).where(_is_invited(user)).values(emptied))


def _is_invited(user: User) -> ColumnElement[bool]:
    """The user's invitations: accepted by them, or sent to their verified address and not accepted by another user."""
    was_sent = col(Invitation.accepted_by_id).is_(None) & (col(Invitation.email) == user.verified_email)
    return or_(col(Invitation.accepted_by_id) == user.id, was_sent)


def _anonymize_account(user: User) -> None:
    user.deleted_at = clock.now()
    user.issuer, user.subject = ERASED, f"{ERASED}-{user.id}"
    user.verified_email = user.email = user.first_name = user.last_name = user.phone = user.search_text = ""
    user.referral_code = None
    user.age_verified_at = user.invited_at = None
