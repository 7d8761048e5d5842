"""The rows of the overview (RULE needs-attention)."""

from marketplace_app.components.admin.overview import overview
from marketplace_app.components.controls.icons import PATHS
from marketplace_app.schemas.admin.statistics import NeedsAttention
from marketplace_app.states.admin.overview_rows import attention_items


def test_each_item_that_needs_attention_has_an_icon_of_its_own() -> None:
    needs = NeedsAttention(
        late_pending_orders=1, low_stock_products=1, urgent_tickets=1, untested_products=1, unwritten_legal_pages=1
    )
    symbols = [item.symbol for item in attention_items(needs)]
    assert len(set(symbols)) == 5
    built = str(overview())
    assert [symbol for symbol in symbols if PATHS[symbol] not in built] == []
