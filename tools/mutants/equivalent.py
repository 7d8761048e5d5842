"""Mutants that no test can tell from the store, each with the reason. `make mutants` counts them by themselves."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Equivalent:
    module: str
    right: str
    """The lines of the diff, without indentation, joined by spaces."""
    wrong: str
    reason: str


_LOCKED_BY_SQLITE = "Mutants run on SQLite, where a transaction that writes is alone: nobody could come between."
_HELD = "held = session.execute(statement.execution_options(populate_existing={})).scalars().all()"
_LOAD = "quotes.load_products(session, {line.product_id for order in held for line in order.lines}, "

EQUIVALENT = (
    *(
        Equivalent("fulfilment", _HELD.format("True"), _HELD.format(value), _LOCKED_BY_SQLITE)
        for value in ("None", "False")
    ),
    *(
        Equivalent("fulfilment", _LOAD + "lock=True)", _LOAD + wrong, _LOCKED_BY_SQLITE)
        for wrong in ("lock=None)", ")", "lock=False)")
    ),
)
