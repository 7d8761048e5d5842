"""Placing orders, and reading the caller's own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, select, update
from sqlalchemy.orm import joinedload, selectinload
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live, metrics
from marketplace_app.errors import (
    AgeVerificationRequired,
    IdempotencyMismatch,
    NotFound,
    OrderBlocked,
    OutOfStock,
    QuoteChanged,
)
from marketplace_app.limits import MAX_UNPAGED_ORDERS, QUOTE_TOLERANCE_CENTS
from marketplace_app.messages import ORDER_NOT_FOUND
from marketplace_app.models import CreditReason, IdempotencyKey, Order, Product, StockMovement, StockReason, User
from marketplace_app.models.base import insert_rows, related, table_of
from marketplace_app.places import Place
from marketplace_app.schemas.buying.order_forms import OrderForm
from marketplace_app.schemas.buying.orders import OrderView, view_of
from marketplace_app.schemas.buying.quotes import Quote
from marketplace_app.schemas.jurisdictions.state_rules import Version
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.services import credits, pricing, settings
from marketplace_app.services.account import profile
from marketplace_app.services.accounts import lock, require_shopper, require_signed_in
from marketplace_app.services.batches import of_orders
from marketplace_app.services.buying import cart, fulfilment, order_rows, quotes
from marketplace_app.services.claims import claim_each, claim_one
from marketplace_app.services.delivery import place_terms, slots, zones
from marketplace_app.services.jurisdictions import enforcement, records
from marketplace_app.services.records import announcements, audit_log, outbox

OrderAnswerBody = Mapping[str, Any]
_PRODUCTS = table_of(Product)
_ANSWERS = table_of(IdempotencyKey)
_ANSWER = select(_ANSWERS.c.body_hash, _ANSWERS.c.answer).where(
    _ANSWERS.c.user_id == bindparam("user_id"), _ANSWERS.c.key == bindparam("key")
)
_CLAIM_STOCK = (
    update(_PRODUCTS)
    .where(
        _PRODUCTS.c.id == bindparam("product_id"),
        _PRODUCTS.c.is_active,
        _PRODUCTS.c.stock >= bindparam("quantity"),
    )
    .values(stock=_PRODUCTS.c.stock - bindparam("quantity"))
)


def place(session: Session, actor: User | None, form: OrderForm, *, key: str | None) -> OrderAnswerBody:
    """Place an order as a whole or not at all, in one transaction (promises P1 to P5). Returns it in wire form.

    `key` is the idempotency key: with the same key and draft, the first order is returned again. Raises
    IdempotencyMismatch, AgeVerificationRequired, QuoteChanged, OutOfStock, OrderBlocked, WindowFull.
    """
    shopper = lock(session, require_shopper(actor))
    if (earlier := _find_answer(session, shopper, form, key)) is not None:
        return earlier
    wanted = form.quantities()
    products = {p.id: p for p in quotes.load_products(session, wanted, lock=True)}
    items = quotes.items_of([*products.values()], wanted)
    shop, has_zones = settings.current_with_zones(session)
    at = clock.now()  # one moment for both: the order's date, and the law by which it is judged
    enforces = bool(shop.enforce_jurisdiction)
    destination = form.read_place() if has_zones or enforces else None
    local = place_terms.find(session, destination, at, has_zones=has_zones, enforces=enforces, lock=True)
    terms = _terms(session, shopper, form, shop, items, destination, local, at, has_zones=has_zones)
    quote = pricing.quote(items, terms, quotes.find_buyer(session, shopper, use_credit=form.use_credit))
    _require_orderable(quote, items)
    _require_agreed(form, quote, items)
    _claim_stock(session, items)
    shares = _claim_batches(session, items, products)
    delivery = _claim_delivery(session, form, local.zone, destination, terms.version, at)
    _claim_discounts(session, shopper, quote)
    order = order_rows.write(session, shopper, form, quote, items, products, shop, delivery, terms.version, at)
    cart.remove_ordered(session, shopper.id, dict(wanted))
    profile.fill(session, shopper, form)
    answer = _store_answer(session, shopper, form, key, order)
    _write_records(session, shopper, quote, order, shares)  # last, because the audit trail is locked from then on
    return answer


def list_own(
    session: Session, actor: User | None, *, limit: int = MAX_UNPAGED_ORDERS, offset: int = 0
) -> tuple[OrderView, ...]:
    """The caller's orders, newest first."""
    statement = _newest_first().where(*_own(require_signed_in(actor))).limit(limit).offset(offset)
    return tuple(view_of(order, for_customer=True) for order in session.execute(statement).scalars())


def list_for_export(session: Session, user: User) -> Iterator[OrderView]:
    """All orders of a user, newest first. Those that staff have deleted are included, since the store still keeps their
    rows, with the user's address."""
    statement = _newest_first().where(col(Order.user_id) == user.id)
    return (view_of(order, for_customer=True) for order in session.execute(statement).scalars())


def _newest_first() -> Select[Order]:
    return (
        select(Order)
        .order_by(col(Order.created_at).desc(), col(Order.number).desc())
        .options(
            selectinload(related(Order.lines)),
            selectinload(related(Order.history)),
            joinedload(related(Order.delivery)),  # not a statement of its own: in most stores it would find nothing
        )
    )


def count_own(session: Session, actor: User | None) -> int:
    statement = select(func.count()).select_from(Order).where(*_own(require_signed_in(actor)))
    return int(session.execute(statement).scalar_one())


def get(session: Session, actor: User | None, order_id: str) -> OrderView:
    """One of the caller's own orders. Raises NotFound for anybody else's."""
    statement = select(Order).where(*_own(require_signed_in(actor)), col(Order.id) == order_id)
    statement = statement.options(joinedload(related(Order.delivery)))
    order: Order | None = session.execute(statement).scalar_one_or_none()
    if order is None:
        raise NotFound(ORDER_NOT_FOUND)
    return view_of(order, for_customer=True)


@dataclass(frozen=True)
class BuyAgainResult:
    added: tuple[str, ...]
    """Names of products that went into the cart, in whole or in part."""
    short: Mapping[cart.Shortage, tuple[str, ...]]
    """For each reason, the names of the products of which fewer units than ordered, or none, went into the cart."""


def buy_again(session: Session, actor: User | None, order_id: str) -> BuyAgainResult:
    """Put an earlier order's products into the cart, as far as they are available. Raises NotFound."""
    order = get(session, actor, order_id)
    results = [(item.name, *cart.add_up_to(session, actor, item.product_id, item.quantity)) for item in order.items]
    short = {reason: tuple(name for name, _, why in results if why is reason) for reason in cart.Shortage}
    return BuyAgainResult(
        added=tuple(name for name, count, _ in results if count),
        short={reason: names for reason, names in short.items() if names},
    )


def _own(user: User) -> tuple[ColumnElement[bool], ...]:
    return col(Order.user_id) == user.id, col(Order.deleted_at).is_(None)


def _find_answer(session: Session, shopper: User, form: OrderForm, key: str | None) -> OrderAnswerBody | None:
    stored = session.connection().execute(_ANSWER, {"user_id": shopper.id, "key": key}).first() if key else None
    if stored is None:
        return None
    if stored.body_hash != form.body_hash():
        raise IdempotencyMismatch()
    answer: OrderAnswerBody = stored.answer
    return answer


def _terms(
    session: Session,
    shopper: User,
    form: OrderForm,
    shop: ShopSettings,
    items: list[pricing.Item],
    place: Place | None,
    local: place_terms.PlaceTerms,
    at: datetime,
    *,
    has_zones: bool,
) -> pricing.Terms:
    """The terms at the place where the order goes. What the rules of its state do not allow is among their blockers.

    An address whose place cannot be read is refused by the rules while they are enforced (RULE enforced-place),
    otherwise by the zones.
    """
    if not shop.enforce_jurisdiction:
        return quotes.terms_in(shop, local.zone, place and place.zip_code) if has_zones else quotes.terms_of(shop)
    terms = quotes.terms_in(shop, local.zone, place.zip_code) if place and has_zones else quotes.terms_of(shop)
    terms = enforcement.judge(session, shopper.id, terms, local.rules, items, at).terms
    missing = records.blockers(terms.version, form.birth_date) if terms.version else ()
    return replace(terms, blockers=(*terms.blockers, *missing))


def _require_orderable(quote: Quote, items: list[pricing.Item]) -> None:
    if not quote.blockers:
        return
    first = quote.blockers[0]
    if first.code == "age_verification_required":
        raise AgeVerificationRequired()
    missing = next((item for item in items if item.quantity > item.available), None)
    if missing is not None:
        raise OutOfStock(missing.name, missing.available)
    raise OrderBlocked(first.code, first.message)


def _require_agreed(form: OrderForm, quote: Quote, items: list[pricing.Item]) -> None:
    """Raises QuoteChanged unless the customer saw the amounts of this quote, to within a cent (RULE server-prices)."""
    fresh = quote.amounts()
    prices = {item.product_id: item.unit_price_cents for item in items}
    pairs = [(cents, fresh[name]) for name, cents in form.agreed_amounts().items()]
    pairs += [(item.price, prices[item.product_id]) for item in form.items if item.price is not None]
    if any(abs(agreed - now) > QUOTE_TOLERANCE_CENTS for agreed, now in pairs):
        raise QuoteChanged(quote.wire())


def _claim_stock(session: Session, items: list[pricing.Item]) -> None:
    """Each unit is taken by a conditional update, products in id order: no unit is sold twice (P1)."""
    wanted = [
        {"product_id": item.product_id, "quantity": item.quantity}
        for item in sorted(items, key=lambda item: item.product_id)
    ]
    if not claim_each(session, _CLAIM_STOCK, wanted):
        raise OutOfStock(items[0].name, items[0].available)  # the lock on the products keeps this from happening


def _claim_batches(
    session: Session, items: list[pricing.Item], products: Mapping[int, quotes.QuotedProduct]
) -> list[of_orders.BatchShare]:
    """For the products that are kept in batches. Without any in the order, no statement is run."""
    batched = [item for item in items if products[item.product_id].has_batches]
    wanted = [of_orders.Wanted(item.product_id, item.name, item.quantity) for item in batched]
    return of_orders.take(session, wanted) if wanted else []


def _claim_delivery(
    session: Session,
    form: OrderForm,
    zone: zones.ZoneTerms | None,
    place: Place | None,
    version: Version | None,
    at: datetime,
) -> slots.Delivery | None:
    """Claim the slot that was chosen, if any; None in a shop without zones. The stock must be claimed before: whoever
    waits for a slot then holds their products already, so nobody who holds a slot waits for products."""
    if zone is None or place is None:
        if form.slot_id is not None:
            raise slots.WindowFull(())
        return None
    if form.slot_id is None:
        return slots.Delivery(zone)
    return slots.claim(session, zone, place.zip_code, form.slot_id, at, version)


def _claim_discounts(session: Session, shopper: User, quote: Quote) -> None:
    """Each one-time discount is used by a conditional update, whatever was read before (P4)."""
    for amount, flag in fulfilment.ONE_TIME_DISCOUNTS:
        if not getattr(quote, amount):
            continue
        column = col(getattr(User, flag))
        if not claim_one(session, update(User).where(col(User.id) == shopper.id, ~column).values({flag: True})):
            raise QuoteChanged(quote.wire())


def _write_records(
    session: Session, shopper: User, quote: Quote, order: OrderView, shares: list[of_orders.BatchShare]
) -> None:
    movements = [
        {
            "product_id": item.product_id,
            "change": -item.quantity,
            "reason": StockReason.SALE,
            "order_id": order.id,
            "sequence": 1,
            "actor_id": shopper.id,
        }
        for item in order.items
    ]
    insert_rows(session, StockMovement, movements)
    if shares:
        of_orders.record_taken(session, order.id, 1, shares)
    credits.add_entry(session, shopper.id, -order.credit_applied_cents, CreditReason.SPENT, order_id=order.id)
    for topic in (live.user(shopper.id), live.STAFF):
        announcements.publish(session, topic)
    if quote.referral_discount_cents and shopper.referred_by_id is not None:
        announcements.publish(session, live.user(shopper.referred_by_id))
    metrics.note_order(session)
    outbox.add(session, "order_placed", order.customer_email, order_id=order.id)
    audit_log.append(
        session, shopper, "order.placed", f"order:{order.id}", total=order.total_cents, number=order.number
    )


def _store_answer(
    session: Session, shopper: User, form: OrderForm, key: str | None, order: OrderView
) -> OrderAnswerBody:
    answer = order.wire()
    if key:
        kept = {"user_id": shopper.id, "key": key, "body_hash": form.body_hash(), "answer": answer}
        insert_rows(session, IdempotencyKey, [kept])
    return answer
