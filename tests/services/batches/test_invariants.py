"""The check of batches finds what may never be (RULE invariants-check)."""

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app.models import BatchQuestion, Product
from marketplace_app.services.batches.invariants import QUERIES
from tests.conftest import Cast
from tests.services.order_batches.test_questions import asking, fern

__all__ = ["fern"]  # fixtures, which tests take by name

BREAKS = {
    "stock kept in batches is the sum of their units": "UPDATE products SET stock = stock + 1",
    "only products that are kept in batches have any": "UPDATE products SET has_batches = false",
    "the units of a batch are the sum of its movements": "UPDATE batches SET units = units + 1",
    "what is set aside of a batch is the sum of what was set aside and released": (
        "UPDATE batches SET set_aside = set_aside + 1"
    ),
    "a stock movement is split among batches as a whole, and of its own product": (
        "UPDATE stock_movements SET change = change - 1"
    ),
    "what an order line has of a batch is what was taken for it": "DELETE FROM line_batches",
    "nothing of a batch was taken for an order after its recall": (
        "UPDATE batches SET units = 0, recalled_at = '2020-01-01 00:00:00', recall_reason = 'Mould'"
    ),
    "a swap of batches changes no order's units": (
        "UPDATE stock_movements SET reason = 'swap' WHERE order_id IS NOT NULL"
    ),
    "an open question for another batch can be answered": "UPDATE batch_questions SET units = 1",
    "the batches of an order line are all of it": "UPDATE line_batches SET units = units + 1",
}


def violations(session: Session, name: str) -> int:
    return len(session.execute(text(QUERIES[name])).all())


@pytest.mark.parametrize("name", QUERIES)
def test_what_breaks_a_rule_of_batches_is_found(
    engine: Engine, session: Session, cast: Cast, fern: Product, name: str
) -> None:
    _, question = asking(engine, cast, fern)
    assert session.get_one(BatchQuestion, question).units == 2
    assert violations(session, name) == 0
    session.execute(text(BREAKS[name]))
    assert violations(session, name) > 0
