"""Staff add, edit and archive products (RULE product-edit, RULE products-list)."""

from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import errors
from marketplace_app.models import AuditEntry, Product, StockMovement, StockReason
from marketplace_app.schemas.admin.products import SeenVersion
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.product_fields import ProductForm
from marketplace_app.services.admin import products
from marketplace_app.services.admin.products import ProductEditedMeanwhile
from tests.builders import make_product
from tests.conftest import Cast


def filled(session: Session, product: Product, **changes: Any) -> ProductForm:
    """The form of a product as the page fills it in, with some fields changed."""
    return parse(ProductForm, products.view(session, product.id).form_wire() | changes)


def trail(session: Session) -> list[tuple[str, dict[str, Any]]]:
    entries = session.execute(select(AuditEntry).order_by(col(AuditEntry.id))).scalars()
    return [(each.action, each.details) for each in entries]


def test_a_product_that_somebody_has_saved_since_is_not_overwritten(session: Session, cast: Cast) -> None:
    product = make_product(session, "Fern")
    seen = SeenVersion(product.updated_at.isoformat(), stock=product.stock)
    products.edit(session, cast.ada, product.id, filled(session, product, name="Moss"), seen=seen)
    with pytest.raises(ProductEditedMeanwhile):
        products.edit(session, cast.ada, product.id, filled(session, product, name="Larch"), seen=seen)
    assert products.view(session, product.id).form_wire()["name"] == "Moss"


def test_a_new_count_is_applied_as_a_difference_from_the_count_that_was_seen(session: Session, cast: Cast) -> None:
    product = make_product(session, "Fern", stock=20)
    seen = SeenVersion(product.updated_at.isoformat(), stock=23)  # three were sold since
    form = filled(session, product, stock=25)
    assert products.edit(session, cast.ada, product.id, form, seen=seen).form_wire()["stock"] == 22
    adjusted = select(col(StockMovement.change)).where(col(StockMovement.reason) == StockReason.ADJUST)
    assert session.execute(adjusted).scalars().all() == [2]


def test_an_edit_is_audited_with_old_and_new_values_but_long_texts_only_as_changed(
    session: Session, cast: Cast
) -> None:
    product = make_product(session, "Fern", price_cents=60_00)
    products.edit(session, cast.ada, product.id, filled(session, product))
    assert trail(session) == [], "nothing has changed"
    form = filled(session, product, price="61.00", description="Warm stone.")
    products.edit(session, cast.ada, product.id, form)
    assert trail(session) == [("product.edited", {"price_cents": [60_00, 61_00], "description": "changed"})]


def test_a_category_that_does_not_exist_is_refused(session: Session, cast: Cast) -> None:
    product = make_product(session, "Fern")
    form = filled(session, product, category="Seeds", sku="NEW-1")
    for act in (
        lambda: products.create(session, cast.ada, form),
        lambda: products.edit(session, cast.ada, product.id, form),
    ):
        with pytest.raises(errors.InvalidInput) as refused:
            act()
        assert refused.value.fields.keys() == {"category"}


def test_archiving_twice_or_setting_the_same_picture_twice_is_audited_once(session: Session, cast: Cast) -> None:
    product = make_product(session, "Fern")
    for _ in range(2):
        products.set_image(session, cast.ada, product.id, "/pictures/moss")
        products.archive(session, cast.ada, product.id)
    assert trail(session) == [("product.pictured", {"image": "/pictures/moss"}), ("product.archived", {})]
    assert not session.get_one(Product, product.id).is_active


def test_customers_and_guests_neither_see_nor_edit(session: Session, cast: Cast) -> None:
    product = make_product(session, "Fern")
    for who, refusal in ((cast.alice, errors.NotAllowed), (None, errors.NotSignedIn)):
        for act in (products.get, products.archive, products.require_editable):
            with pytest.raises(refusal):
                act(session, who, product.id)
    assert session.get_one(Product, product.id).is_active
