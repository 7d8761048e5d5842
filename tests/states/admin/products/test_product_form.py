"""The product form sends changed fields and leaves others as stored."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app.schemas.admin.products import AdminProductView
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.product_fields import ProductForm
from marketplace_app.services.admin import products as admin_products
from marketplace_app.states.admin.products.product_form import EFFECTS, FLAVORS, ProductFormData, values_of, wire_of
from tests.builders import make_product


@pytest.fixture
def product(session: Session) -> AdminProductView:
    made = make_product(
        session,
        description="A line\r\nand a second.",
        effects=["Relaxed", "Munchies", "Happy"],
        flavors=["Pine", "Mint"],
        terpenes=["Myrcene, trans", "Linalool"],
        thc_percent=0.5,
        cbd_percent=12.3456789,
        net_weight_grams=12345.678,
    )
    session.commit()
    return admin_products.view(session, made.id)


def as_the_browser_sends_it(product: AdminProductView, **changes: Any) -> ProductFormData:
    """Boxes in the order of the page."""
    form: dict[str, Any] = dict(values_of(product))
    form["effects"] = [each for each in EFFECTS if each in product.effects]
    form["flavors"] = [each for each in FLAVORS if each in product.flavors]
    return ProductFormData(**form | {"featured": product.is_featured, "active": product.is_active} | changes)


def test_an_unchanged_form_sends_the_stored_values(product: AdminProductView) -> None:
    assert wire_of(as_the_browser_sends_it(product), product) == product.form_wire()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"price": "51.95"}, {"price": "51.95"}),
        ({"thcPercent": " 22.5 "}, {"thcPercent": 22.5}),
        ({"thcPercent": ".5"}, {"thcPercent": 0.5}),
        ({"thcPercent": "1_5"}, {"thcPercent": "1_5"}),
        ({"netWeightGrams": "3_5.0"}, {"netWeightGrams": "3_5.0"}),
        ({"cbdPercent": ""}, {"cbdPercent": None}),
        ({"stock": "1_0"}, {"stock": "1_0"}),
        ({"stock": ""}, {"stock": ""}),
        ({"terpenes": "Linalool,, Pinene "}, {"terpenes": ["Linalool", "Pinene"]}),
        # The page has no box for Munchies, so it is kept.
        ({"effects": ["Happy", "Calm"]}, {"effects": ["Munchies", "Happy", "Calm"]}),
        ({"flavors": []}, {"flavors": []}),
        ({"active": False}, {"active": False}),
    ],
)
def test_only_changed_fields_differ(product: AdminProductView, changes: Any, expected: dict[str, Any]) -> None:
    assert wire_of(as_the_browser_sends_it(product, **changes), product) == product.form_wire() | expected


def test_a_new_product_has_the_values_of_the_form() -> None:
    filled: ProductFormData = {
        "name": "Fern",
        "price": "49",
        "stock": "3",
        "effects": ["Calm", "Happy"],
        "active": True,
    }
    others: Any = {"description": "", "category": "Edibles", "type": "Indica", "potency": ""}
    form = parse(ProductForm, wire_of(others | filled, None))
    assert (form.name, form.price, form.stock, form.effects, form.active) == (
        "Fern",
        49_00,
        3,
        ["Calm", "Happy"],
        True,
    )
