"""Mutants that no test can tell from the original, each with the reason. `make mutants` counts them separately."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Equivalent:
    module: str
    original: str
    """The lines of the diff, without indentation, joined by spaces."""
    mutated: str
    reason: str


_LOCKED_BY_SQLITE = "Mutants run on SQLite, where only one transaction writes at a time: no other one can come between."
_ZERO_IS_NOT_WRITTEN = "Only a difference of 0 has another reason, and neither movements nor entries of 0 are written."
_ONE_MORE_STATEMENT = "The order's record is then read by a separate statement: slower, with the same result."
_HELD = "held = session.execute(statement.execution_options(populate_existing={})).scalars().all()"
_LOAD = "quotes.load_products(session, {line.product_id for order in held for line in order.lines}, "

_RECORD = "session.get(Order, order_id, options=[joinedload(related(Order.legal_record))])"
_CLAIM = "if not claim_one(session, update(User).where(col(User.id) == shopper.id, {}).values({{flag: True}})):"

EQUIVALENT = (
    *(
        Equivalent("buying.fulfilment", _RECORD, f"session.get(Order, order_id, {wrong})", _ONE_MORE_STATEMENT)
        for wrong in ("options=None", "")
    ),
    *(
        Equivalent(
            "buying.fulfilment",
            f"{right} if difference > 0 {other}",
            f"{right} if difference >= 0 {other}",
            _ZERO_IS_NOT_WRITTEN,
        )
        for right, other in (
            ("reason=StockReason.CANCEL", "else StockReason.SALE,"),
            ("reason = CreditReason.REFUND", "else CreditReason.SPENT"),
            ("reason = CreditReason.REFERRAL", "else CreditReason.REVERSAL"),
        )
    ),
    Equivalent("buying.orders", _CLAIM.format("~column"), _CLAIM.format(""), _LOCKED_BY_SQLITE),
    *(
        Equivalent("buying.fulfilment", _HELD.format("True"), _HELD.format(value), _LOCKED_BY_SQLITE)
        for value in ("None", "False")
    ),
    *(
        Equivalent("buying.fulfilment", _LOAD + "lock=True)", _LOAD + wrong, _LOCKED_BY_SQLITE)
        for wrong in ("lock=None)", ")", "lock=False)")
    ),
)
