"""What the page of one row shows in place of a row that could not be read (RULE failures-in-words)."""

from collections.abc import Callable

import pytest
import reflex as rx

from marketplace_app.pages.admin.cash import admin_shift
from marketplace_app.pages.admin.order import admin_order, admin_order_slip
from marketplace_app.pages.admin.recalls import admin_recall
from marketplace_app.pages.admin.run import admin_run, admin_run_sheet
from marketplace_app.pages.admin.user import admin_user
from marketplace_app.pages.order import order

PAGES = {
    order: "This order could not be loaded.",
    admin_order: "This order could not be loaded.",
    admin_order_slip: "This order could not be loaded.",
    admin_run: "This run could not be loaded.",
    admin_run_sheet: "This run could not be loaded.",
    admin_shift: "This shift could not be loaded.",
    admin_recall: "This recall could not be loaded.",
    admin_user: "This user could not be loaded.",
}


@pytest.mark.parametrize(("page", "sentence"), PAGES.items(), ids=[page.__name__ for page in PAGES])
def test_what_could_not_be_loaded_can_be_tried_again(page: Callable[[], rx.Component], sentence: str) -> None:
    """Instead of a skeleton that never ends, or of words that it does not exist."""
    script = str(page())
    assert 'case JSON.stringify("failed")' in script
    assert sentence in script
    assert "Try again" in script
