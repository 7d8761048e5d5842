"""What a product's page shows (RULE product-page)."""

import asyncio
from datetime import date
from typing import Any

import pytest
from reflex.state import State
from sqlmodel import Session

from marketplace_app import db, messages
from marketplace_app.adapters import live
from marketplace_app.limits import MAX_LINE_QUANTITY
from marketplace_app.marketplace_app import app  # noqa: F401 - gives the states the arguments of their routes
from marketplace_app.models import LabReport, Product, ProductType, Strain, User
from marketplace_app.schemas.products.products import view_of
from marketplace_app.services.admin import products
from marketplace_app.services.buying import stock_alerts
from marketplace_app.states.events import subscriptions
from marketplace_app.states.products.product import ProductState, _facts
from tests.builders import make_product
from tests.conftest import ON_SQLITE, Cast
from tests.services.admin.test_products import filled
from tests.states.conftest import SignInAs
from tests.states.tabs import send, show_url, toast


async def open_page(state: Any, number: object) -> Any:
    show_url(state._get_root_state(), f"/product/{number}", product_id=str(number))
    await send(state, "load")
    return state


def page_of(number: object) -> Any:
    async def load() -> Any:
        return await open_page(await State().get_state(ProductState), number)

    return asyncio.run(load())


@pytest.fixture
def fern(session: Session, cast: Cast, sign_in_as: SignInAs) -> Product:
    """The tab is Alice's."""
    product = make_product(session, "Fern Hollow", description="Cool pine! And wet stone. For evenings.")
    session.commit()
    sign_in_as(cast.alice)
    return product


@ON_SQLITE
def test_the_first_sentence_of_the_description_leads(fern: Product) -> None:
    page = page_of(fern.id)
    assert (page.view, page.lead, page.description) == ("found", "Cool pine!", fern.description)


@ON_SQLITE
@pytest.mark.parametrize(
    ("values", "row", "text"),
    [
        ({"strain": Strain.INDICA, "type": ProductType.INDICA}, "Strain", None),
        ({"strain": Strain.SATIVA, "type": ProductType.PRE_ROLL}, "Strain", "Sativa"),
        ({"thc_percent": 26.0}, "THC", "26%"),
        ({"thc_percent": 26.0, "thc_mg": 100}, "THC", "100 mg"),
        ({"cbd_percent": 0.0}, "CBD", "0%"),
        ({"effects": ["Calm", "Happy"]}, "Effects", "Calm, Happy"),
        ({"brand": ""}, "Brand", None),
        ({"potency": None}, "Potency", "Not stated"),
        ({"stock": 0}, "Availability", "Out of Stock"),
    ],
)
def test_a_fact_has_a_row_only_if_it_says_something(
    values: dict[str, Any], row: str, text: str | None, session: Session
) -> None:
    assert dict(_facts(view_of(make_product(session, **values)))).get(row) == text


@ON_SQLITE
@pytest.mark.parametrize(("stock", "most"), [(0, 1), (3, 3), (1_000, MAX_LINE_QUANTITY)])
def test_no_more_can_be_added_at_once_than_there_is_or_than_one_order_takes(
    stock: int, most: int, fern: Product, session: Session
) -> None:
    session.get_one(Product, fern.id).stock = stock
    session.commit()
    assert page_of(fern.id).max_quantity == most


@ON_SQLITE
@pytest.mark.parametrize(
    ("count", "tenths", "reviews", "stars"),
    [(0, 0, "", 0), (1, 49, "4.9 (1 review)", 4), (1_204, 50, "5.0 (1,204 reviews)", 5)],
)
def test_stars_are_the_floor_of_the_rating(
    count: int, tenths: int, reviews: str, stars: int, fern: Product, session: Session
) -> None:
    row = session.get_one(Product, fern.id)
    row.review_count, row.rating_tenths = count, tenths
    session.commit()
    page = page_of(fern.id)
    assert (page.reviews, page.stars) == (reviews, stars)


@ON_SQLITE
def test_the_report_of_the_product_before_is_not_shown(fern: Product, session: Session) -> None:
    """The store would claim that this one was tested."""
    results = dict.fromkeys(("pesticides", "heavy_metals", "residual_solvents", "microbials"), "Not Detected")
    session.add(LabReport(product_id=fern.id, lot="5712", reported_on=date(2026, 11, 2), **results))
    untested = make_product(session, "Dune")
    session.commit()

    async def visit_both() -> list[tuple[bool, str, int]]:
        state, shown = await State().get_state(ProductState), []
        for product in (fern, untested):
            await open_page(state, product.id)
            shown.append((state.has_lab_report, state.lab_note, len(state.lab_panels)))
        return shown

    assert asyncio.run(visit_both()) == [(True, "Report of Nov 02, 2026 · Lot 5712", 4), (False, "", 0)]


@pytest.mark.parametrize("number", ["0", "fern", "1.5", "-{}", "{:٠>9}", "9" * 30])
def test_what_is_no_number_of_a_product_is_not_found(number: str, fern: Product) -> None:
    """Python reads more than these digits as a number, and a longer one than PostgreSQL stores."""
    assert page_of(number.format(fern.id)).view == "missing"


@ON_SQLITE
def test_a_change_never_shows_the_product_of_an_earlier_url(fern: Product) -> None:
    async def watch() -> tuple[str, str]:
        state = await open_page(await State().get_state(ProductState), fern.id)
        await open_page(state, fern.id + 1)
        await state._refresh()
        made = db.write(lambda s: make_product(s, "Dune").id)
        await state._refresh()
        return (str(state.view), state.name) if made == fern.id + 1 else ("", "")

    assert asyncio.run(watch()) == ("found", "Dune")


@ON_SQLITE
def test_what_staff_change_is_shown_on_the_open_page(fern: Product, session: Session, cast: Cast) -> None:
    async def watch() -> list[tuple[str, str]]:
        state = await open_page(await State().get_state(ProductState), fern.id)
        form = filled(session, fern, price="61.50")
        session.commit()
        db.write(lambda s: products.edit(s, cast.ada, fern.id, form))
        await state._refresh()
        edited = state.view, state.price
        db.write(lambda s: products.archive(s, cast.ada, fern.id))
        await state._refresh()
        return [edited, (state.view, state.price)]

    assert asyncio.run(watch()) == [("found", "$61.50"), ("missing", "$61.50")]
    assert subscriptions.subscribers(frozenset({live.product(fern.id)})) == {"": [ProductState]}


@ON_SQLITE
@pytest.mark.parametrize(("opened", "tab"), [("same", "lab"), ("another", "description")])
def test_a_product_is_opened_at_its_description_and_stays_as_it_was_after_a_reconnect(
    opened: str, tab: str, fern: Product, session: Session
) -> None:
    another = make_product(session, "Dune")
    session.commit()

    async def load_again() -> str:
        state = await open_page(await State().get_state(ProductState), fern.id)
        await send(state, "show_tab", "lab")
        await open_page(state, fern.id if opened == "same" else another.id)
        return str(state.tab)

    assert asyncio.run(load_again()) == tab


@ON_SQLITE
def test_a_mail_is_offered_for_what_is_sold_out_and_not_for_what_is_back(
    fern: Product, session: Session, cast: Cast
) -> None:
    def restock(count: int) -> None:
        db.write(lambda s: setattr(s.get_one(Product, fern.id), "stock", count))

    async def ask() -> list[bool]:
        state = await State().get_state(ProductState)
        restock(0)
        waits = []
        for act in (None, True, None, False, None):
            await (open_page(state, fern.id) if act is None else send(state, "set_alert", act))
            waits.append(state.has_alert)
        await send(state, "set_alert", True)
        restock(3)
        await open_page(state, fern.id)
        return [*waits, state.has_alert]

    assert asyncio.run(ask()) == [False, True, True, False, False, False]
    assert db.read(lambda s: stock_alerts.is_waiting(s, s.get_one(User, cast.alice.id), fern.id))


@ON_SQLITE
def test_an_alert_that_is_refused_is_not_shown_as_set(fern: Product) -> None:
    async def ask() -> tuple[bool, tuple[str, str]]:
        state = await open_page(await State().get_state(ProductState), fern.id)
        await send(state, "set_alert", True)
        return state.has_alert, await toast(state)

    assert asyncio.run(ask()) == (False, (messages.ERROR, stock_alerts.InStock.message))
