"""What the pages of one order show instead of it."""

from collections.abc import Callable

import pytest
import reflex as rx

from marketplace_app.pages.admin.order import admin_order, admin_order_slip


@pytest.mark.parametrize("page", [admin_order, admin_order_slip])
def test_an_order_that_could_not_be_loaded_can_be_tried_again(page: Callable[[], rx.Component]) -> None:
    """On the order's page and on its packing slip, instead of a skeleton that never ends."""
    script = str(page())
    assert 'case JSON.stringify("failed")' in script
    assert "This order could not be loaded." in script
    assert "Try again" in script
