"""A product's admin page: when its form is filled, kept or marked as outdated (RULE product-edit)."""

import asyncio
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db, messages
from marketplace_app.models import Product, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.product_fields import ProductForm
from marketplace_app.services.admin import products as admin_products
from marketplace_app.states.admin import product as product_page
from marketplace_app.states.admin.product import NEW, AdminProductState
from marketplace_app.states.events.viewer import ViewerState
from tests.builders import make_product
from tests.conftest import ON_SQLITE, Cast
from tests.services.buying.test_fulfilment import place
from tests.states.admin.conftest import Tab


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=20)
    session.commit()
    return product


def load(tab: Tab, monkeypatch: pytest.MonkeyPatch, address: object, *, has_reconnected: bool = False) -> Any:
    monkeypatch.setattr(product_page, "route_argument", lambda *_: str(address))
    tab.state(ViewerState)._has_reconnected = has_reconnected
    state = tab.state(AdminProductState)
    tab.send(state, "load")
    return state


def save(tab: Tab, state: Any, **changes: Any) -> list[dict[str, Any]]:
    form = {**state.values, **state.flags, "effects": [*state.effects], "flavors": [*state.flavors]}
    return tab.send(state, "save", form | changes)


def edit(owner: User, product: Product, **changes: Any) -> None:
    """As a colleague."""

    def change(session: Session) -> None:
        wire = admin_products.view(session, product.id).form_wire() | changes
        admin_products.edit(session, session.get(User, owner.id), product.id, parse(ProductForm, wire))

    db.write(change)


def stored(product: Product) -> Product:
    return db.read(lambda s: s.get_one(Product, product.id))


@ON_SQLITE
def test_a_colleagues_save_marks_the_form_and_is_not_overwritten(
    tab: Tab, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = load(tab, monkeypatch, fern.id)
    key = state.form_key
    edit(cast.ada, fern, name="Moss")
    asyncio.run(state._refresh())
    assert (state.is_stale, state.form_key, state.values["name"]) == (True, key, "Fern Hollow")
    save(tab, state, name="Larch")
    assert (stored(fern).name, tab.toast[1]) == ("Moss", admin_products.ProductEditedMeanwhile.message)
    save(tab, state, name="Larch", form_key=str(key))  # the second press of a double click
    assert stored(fern).name == "Moss"
    tab.send(state, "reload")
    assert (state.is_stale, state.form_key > key, state.values["name"]) == (False, True, "Moss")


@ON_SQLITE
def test_a_save_that_comes_too_late_marks_the_form(
    tab: Tab, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = load(tab, monkeypatch, fern.id)
    edit(cast.ada, fern, name="Moss")
    save(tab, state, name="Larch")
    assert (state.is_stale, state.is_saving, stored(fern).name) == (True, False, "Moss")


@ON_SQLITE
def test_saving_again_after_a_refusal_replaces_the_colleagues_version(
    tab: Tab, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(cast.ada, fern, terpenes=["Myrcene, alpha"])
    state = load(tab, monkeypatch, fern.id)
    edit(cast.ada, fern, name="Moss", brand="Stillroom", terpenes=["Pinene"])
    place(cast.alice, fern, 2)
    save(tab, state, name="Larch", stock="25")
    assert (stored(fern).name, state.values["name"], state.is_stale) == ("Moss", "Fern Hollow", True)
    asyncio.run(state._refresh())  # the colleague's save, announced late
    save(tab, state, name="Larch", stock="25")
    now = stored(fern)
    assert (now.name, now.brand, now.terpenes, now.stock) == ("Larch", "", ["Myrcene, alpha"], 23)
    assert (tab.toast[0], state.is_stale) == (messages.PRODUCT_SAVED.title, False)


@ON_SQLITE
def test_what_a_colleague_saves_after_a_refusal_is_not_overwritten(
    tab: Tab, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = load(tab, monkeypatch, fern.id)
    edit(cast.ada, fern, name="Moss")
    save(tab, state, name="Larch")
    edit(cast.ada, fern, name="Reed")
    asyncio.run(state._refresh())
    save(tab, state, name="Larch")
    assert (stored(fern).name, state.is_stale) == ("Reed", True)


@ON_SQLITE
def test_a_new_picture_is_shown_and_does_not_keep_the_form_from_being_saved(
    tab: Tab, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = load(tab, monkeypatch, fern.id)
    db.write(lambda s: admin_products.set_image(s, s.get(User, cast.ada.id), fern.id, "/pictures/moss"))
    tab.send(state, "refresh")
    assert (state.is_stale, state.image) == (False, "/pictures/moss")
    save(tab, state, name="Larch")
    assert (stored(fern).name, tab.toast[0]) == ("Larch", messages.PRODUCT_SAVED.title)


@ON_SQLITE
def test_a_typed_count_is_a_difference_to_the_one_that_the_form_was_filled_with(
    tab: Tab, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = load(tab, monkeypatch, fern.id)
    place(cast.alice, fern, 2)
    asyncio.run(state._refresh())
    assert (state.is_stale, state.values["stock"]) == (False, "20")
    save(tab, state, stock="25")
    assert (stored(fern).stock, state.values["stock"]) == (23, "23")


@ON_SQLITE
def test_a_second_press_does_not_count_what_was_sold_before_the_first(
    tab: Tab, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = load(tab, monkeypatch, fern.id)
    place(cast.alice, fern, 2)
    as_shown = {**state.values, **state.flags, "effects": [], "flavors": [], "form_key": str(state.form_key)}
    for _ in range(2):
        tab.send(state, "save", dict(as_shown))
    assert (stored(fern).stock, state.values["stock"]) == (18, "18")


@ON_SQLITE
@pytest.mark.parametrize(("has_reconnected", "shown"), [(True, "Fern Hollow"), (False, "Moss")])
def test_only_a_reconnect_keeps_the_form_as_it_was_filled(
    has_reconnected: bool, shown: str, tab: Tab, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(tab, monkeypatch, fern.id)
    edit(cast.ada, fern, name="Moss")
    state = load(tab, monkeypatch, fern.id, has_reconnected=has_reconnected)
    assert (state.values["name"], state.is_stale) == (shown, has_reconnected)


@ON_SQLITE
def test_an_error_beside_a_field_is_gone_at_the_next_visit(
    tab: Tab, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = load(tab, monkeypatch, fern.id)
    save(tab, state, price="free")
    assert ([name for name, said in state.errors.items() if said], state.is_saving) == (["price"], False)
    assert load(tab, monkeypatch, fern.id, has_reconnected=True).errors["price"]
    assert not load(tab, monkeypatch, fern.id).errors["price"]


@ON_SQLITE
@pytest.mark.parametrize("address", ["999999", "0", "-1", "fern", "\u0661", "9" * 30])
def test_what_is_no_number_of_a_product_is_missing(
    address: str, tab: Tab, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fern.id == 1  # which one of the addresses has in Arabic digits
    state = load(tab, monkeypatch, address)
    assert (state.view, tab.toast[0]) == ("missing", "")


@ON_SQLITE
def test_a_new_product_begins_in_the_first_category_and_ends_on_its_own_page(
    tab: Tab, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(tab, monkeypatch, fern.id)
    state = load(tab, monkeypatch, NEW)
    assert (state.view, state.values["name"], state.values["category"]) == (NEW, "", state.categories[0])
    [opened] = save(tab, state, name="Larch", price="49.00", stock="3", type="Indica")
    made = db.read(lambda s: admin_products.view(s, int(opened["path"].rpartition("/")[2])))
    assert (made.name, made.stock, opened["replace"]) == ("Larch", 3, True)
