"""What is always true of the store's data, checked against the database itself (the README's guarantees).

Each query finds violations, so an empty result is good. They only read, and may run while the store is open.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import select, text
from sqlmodel import Session, col

from marketplace_app.models import IdempotencyKey, Order, User
from marketplace_app.services import erased_users, settings
from marketplace_app.services.batches import invariants as batch_invariants
from marketplace_app.services.cash import invariants as cash_invariants
from marketplace_app.services.dispatch import invariants as dispatch_invariants
from marketplace_app.services.records import audit_chain

MAX_EXAMPLES = 5
"""Violations of one invariant that are listed; all are counted."""
Violations = Iterator[str]


@dataclass(frozen=True)
class Invariant:
    name: str
    find: Callable[[Session], Violations]


@dataclass(frozen=True)
class CheckResult:
    name: str
    violations: int
    examples: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.violations


def check(session: Session) -> Iterator[CheckResult]:
    """One invariant after the other, without the time-outs that apply to visitors."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SET LOCAL statement_timeout = 0"))
    for invariant in INVARIANTS:
        count, examples = 0, []
        for violation in invariant.find(session):
            count += 1
            if count <= MAX_EXAMPLES:
                examples.append(violation)
        yield CheckResult(invariant.name, count, tuple(examples))


def _sql(query: str) -> Callable[[Session], Violations]:
    """Every row is a violation; its columns describe it."""

    def find(session: Session) -> Violations:
        for row in session.execute(text(query)).mappings():
            yield ", ".join(f"{name} {value}" for name, value in row.items())

    return find


def _quote_lines(session: Session) -> Violations:
    orders = select(col(Order.number), col(Order.total_cents), col(Order.quote_lines))
    for number, total, lines in session.execute(orders.execution_options(yield_per=1_000)):
        line_sum = sum(Decimal(line["amount"]) for line in lines) * 100
        if line_sum != total:
            yield f"number {number}, lines {line_sum / 100:.2f}, total {Decimal(total) / 100:.2f}"


def _broken_acknowledgements(session: Session) -> Violations:
    """Stored answers to requests that placed an order, if the order is missing or has another total."""
    placed = select(col(Order.id), col(Order.total_cents))
    orders: dict[str, int] = {row.id: row.total_cents for row in session.execute(placed)}
    answers = select(col(IdempotencyKey.answer)).execution_options(yield_per=1_000)
    for answer in session.execute(answers).scalars():
        if orders.get(answer["id"]) != Decimal(answer["total"]) * 100:
            yield f"order {answer['id']}, total {answer['total']}"


def _referral_cycles(session: Session) -> Violations:
    statement = select(col(User.id), col(User.referred_by_id)).where(col(User.referred_by_id).is_not(None))
    referrers: dict[int, int] = {row.id: row.referred_by_id for row in session.execute(statement)}
    visited: set[int] = set()
    for start in referrers:
        path, at = set(), start
        while at in referrers and at not in visited and at not in path:
            path.add(at)
            at = referrers[at]
        if at in path:
            yield f"user {at}"
        visited |= path


def _settings(session: Session) -> Violations:
    for name, sentence in settings.current(session).problems().items():
        yield f"{name}: {sentence}"


def _chain(session: Session) -> Violations:
    if (broken := audit_chain.check_all(session).broken) is not None:
        yield f"entry {broken.entry_id}: {broken.why}"


def _repeated_discounts(column: str) -> Callable[[Session], Violations]:
    return _sql(
        f"SELECT user_id, COUNT(*) AS orders FROM orders WHERE {column} > 0 AND status <> 'cancelled'"  # noqa: S608
        " GROUP BY user_id HAVING COUNT(*) > 1"
    )


def _unrecorded_discounts(column: str, flag: str) -> Callable[[Session], Violations]:
    return _sql(
        f"SELECT o.number, o.user_id FROM orders o JOIN users u ON u.id = o.user_id"  # noqa: S608
        f" WHERE o.{column} > 0 AND o.status <> 'cancelled' AND NOT u.{flag}"
    )


INVARIANTS: tuple[Invariant, ...] = (
    Invariant(
        "stock is the sum of its movements, and never below 0 (P1)",
        _sql(
            """SELECT p.id AS product, p.stock, COALESCE(m.total, 0) AS movements FROM products p
               LEFT JOIN (SELECT product_id, SUM(change) AS total FROM stock_movements GROUP BY product_id) m
               ON m.product_id = p.id WHERE p.stock <> COALESCE(m.total, 0) OR p.stock < 0"""
        ),
    ),
    Invariant(
        "stock for orders was taken exactly once (P1)",
        _sql(
            """SELECT o.number, l.product_id AS product, l.quantity, COALESCE(m.moved, 0) AS moved
               FROM order_lines l JOIN orders o ON o.id = l.order_id
               LEFT JOIN (SELECT order_id, product_id, SUM(change) AS moved FROM stock_movements
                          WHERE order_id IS NOT NULL GROUP BY order_id, product_id) m
               ON m.order_id = l.order_id AND m.product_id = l.product_id
               WHERE COALESCE(m.moved, 0) <> CASE WHEN o.status = 'cancelled' THEN 0 ELSE -l.quantity END"""
        ),
    ),
    Invariant(
        "slots have exactly the orders that hold a place in them",
        _sql(
            """SELECT s.id AS slot, s.taken, COALESCE(d.orders, 0) AS orders FROM slots s
               LEFT JOIN (SELECT held_slot_id, COUNT(*) AS orders FROM order_deliveries GROUP BY held_slot_id) d
               ON d.held_slot_id = s.id WHERE s.taken <> COALESCE(d.orders, 0)"""
        ),
    ),
    Invariant(
        "an order holds its place in a slot until it is cancelled",
        _sql(
            """SELECT o.number, o.status, d.slot_id AS slot FROM order_deliveries d JOIN orders o ON o.id = d.order_id
               WHERE d.slot_id IS NOT NULL AND (d.held_slot_id IS NULL) <> (o.status = 'cancelled')"""
        ),
    ),
    *(Invariant(name, _sql(query)) for name, query in dispatch_invariants.QUERIES.items()),
    *(Invariant(name, _sql(query)) for name, query in cash_invariants.QUERIES.items()),
    *(Invariant(name, _sql(query)) for name, query in batch_invariants.QUERIES.items()),
    Invariant(
        "no stock was taken for a product that its order does not have (P1)",
        _sql(
            """SELECT m.id AS movement, m.order_id, m.product_id AS product FROM stock_movements m
               LEFT JOIN order_lines l ON l.order_id = m.order_id AND l.product_id = m.product_id
               WHERE m.order_id IS NOT NULL AND l.id IS NULL"""
        ),
    ),
    Invariant(
        "every order has lines",
        _sql("""SELECT o.number FROM orders o LEFT JOIN order_lines l ON l.order_id = o.id WHERE l.id IS NULL"""),
    ),
    Invariant(
        "order totals add up (P5)",
        _sql(
            """SELECT number, total_cents FROM orders WHERE total_cents < 0 OR total_cents <> subtotal_cents
               + delivery_fee_cents - new_customer_discount_cents - referral_discount_cents - promotion_discount_cents
               + tax_cents - credit_applied_cents - cash_rounding_cents"""
        ),
    ),
    Invariant(
        "subtotals are the sum of their lines (P5)",
        _sql(
            """SELECT o.number, o.subtotal_cents, l.total AS lines FROM orders o
               JOIN (SELECT order_id, SUM(quantity * unit_price_cents) AS total FROM order_lines GROUP BY order_id) l
               ON l.order_id = o.id WHERE l.total <> o.subtotal_cents"""
        ),
    ),
    Invariant(
        "the taxes added to an order are its tax (P5)",
        _sql(
            """SELECT o.number, o.tax_cents AS tax, COALESCE(t.cents, 0) AS taxes FROM orders o
               LEFT JOIN (SELECT order_id, SUM(amount_cents) AS cents FROM order_taxes WHERE kind = 'added'
                          GROUP BY order_id) t ON t.order_id = o.id WHERE o.tax_cents <> COALESCE(t.cents, 0)"""
        ),
    ),
    Invariant(
        "orders were judged by rules that had been reviewed",
        _sql(
            """SELECT o.number, v.id AS rules FROM order_legal_records r JOIN orders o ON o.id = r.order_id
               JOIN jurisdiction_versions v ON v.id = r.version_id WHERE v.reviewed_at IS NULL"""
        ),
    ),
    Invariant("the quote an order shows adds up to its total (P5)", _quote_lines),
    Invariant("every acknowledged order exists, with the total that was answered (P2, P3)", _broken_acknowledgements),
    Invariant(
        "every order has the last status of its history",
        _sql(
            """SELECT o.number, o.status, c.to_status AS history FROM orders o
               LEFT JOIN (SELECT order_id, MAX(id) AS id FROM order_status_changes GROUP BY order_id) h
               ON h.order_id = o.id LEFT JOIN order_status_changes c ON c.id = h.id
               WHERE c.to_status IS NULL OR c.to_status <> o.status"""
        ),
    ),
    Invariant(
        "order numbers come from their counter",
        _sql(
            """SELECT o.number, c.value AS counter FROM orders o JOIN counters c ON c.name = 'order_number'
               WHERE o.number > c.value"""
        ),
    ),
    Invariant("one first-purchase discount per person (P4)", _repeated_discounts("new_customer_discount_cents")),
    Invariant("one referral discount per person (P4)", _repeated_discounts("referral_discount_cents")),
    Invariant(
        "every first-purchase discount given is recorded (P4)",
        _unrecorded_discounts("new_customer_discount_cents", "first_purchase_discount_used"),
    ),
    Invariant(
        "every referral discount given is recorded (P4)",
        _unrecorded_discounts("referral_discount_cents", "referral_bonus_used"),
    ),
    Invariant(
        "nobody spent credit that they never had",
        _sql(
            """SELECT user_id, SUM(amount_cents) AS cents FROM credit_entries
               WHERE reason NOT IN ('reversal', 'change_returned') GROUP BY user_id HAVING SUM(amount_cents) < 0"""
        ),
    ),
    Invariant(
        "credit used for orders was deducted exactly once",
        _sql(
            """SELECT o.number, o.credit_applied_cents AS applied, COALESCE(e.cents, 0) AS entries FROM orders o
               LEFT JOIN (SELECT order_id, user_id, SUM(amount_cents) AS cents FROM credit_entries
                          WHERE reason IN ('spent', 'refund') GROUP BY order_id, user_id) e
               ON e.order_id = o.id AND e.user_id = o.user_id WHERE COALESCE(e.cents, 0)
               <> CASE WHEN o.status = 'cancelled' THEN 0 ELSE -o.credit_applied_cents END"""
        ),
    ),
    Invariant(
        "referrers got the credit due for delivered orders, and no more",
        _sql(
            """SELECT o.number, o.referrer_id AS referrer, COALESCE(e.cents, 0) AS entries FROM orders o
               JOIN users r ON r.id = o.referrer_id
               LEFT JOIN (SELECT order_id, user_id, SUM(amount_cents) AS cents FROM credit_entries
                          WHERE reason IN ('referral', 'reversal') GROUP BY order_id, user_id) e
               ON e.order_id = o.id AND e.user_id = o.referrer_id WHERE r.deleted_at IS NULL AND COALESCE(e.cents, 0)
               <> CASE WHEN o.status = 'delivered' THEN o.referral_credit_cents ELSE 0 END"""
        ),
    ),
    Invariant(
        "no referral credit without a referred order",
        _sql(
            """SELECT e.id AS entry, e.user_id FROM credit_entries e LEFT JOIN orders o ON o.id = e.order_id
               WHERE e.reason IN ('referral', 'reversal') AND (o.id IS NULL OR o.referrer_id <> e.user_id
               OR o.referrer_id IS NULL)"""
        ),
    ),
    Invariant("nobody referred themselves, directly or indirectly", _referral_cycles),
    Invariant(
        "nobody who is banned or deleted is signed in (P7)",
        _sql(
            """SELECT s.user_id FROM sessions s JOIN users u ON u.id = s.user_id
               WHERE u.banned_at IS NOT NULL OR u.deleted_at IS NOT NULL"""
        ),
    ),
    Invariant(
        "people with saved addresses have exactly one default",
        _sql(
            """SELECT user_id, COUNT(*) AS addresses FROM addresses GROUP BY user_id
               HAVING SUM(CASE WHEN is_default THEN 1 ELSE 0 END) <> 1"""
        ),
    ),
    Invariant(
        "no personal data of erased accounts is left",
        _sql(erased_users.QUERY),
    ),
    Invariant("the shop's settings are in range and consistent", _settings),
    Invariant("the audit trail is intact", _chain),
)
