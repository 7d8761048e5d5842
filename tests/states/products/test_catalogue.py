"""What the catalogue sends to the screen."""

import asyncio

import pytest
import reflex as rx
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app.errors import Unavailable
from marketplace_app.schemas.jurisdictions.jurisdictions import CategoryCount
from marketplace_app.schemas.jurisdictions.state_rules import LimitBucket
from marketplace_app.schemas.products.catalogue import CatalogueParams
from marketplace_app.services.jurisdictions import allowance
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.products import catalogue
from marketplace_app.states.products.catalogue import HEADING_ID, CatalogueState
from marketplace_app.states.products.catalogue_rows import CountedAmounts
from tests.builders import make_product
from tests.states.tabs import focus, open_url, send, show_url


def test_another_page_sends_its_products_and_not_the_filters_again(engine: Engine, session: Session) -> None:
    for number in range(30):
        make_product(session, f"Fern Hollow {number}")
    session.commit()

    async def turn_the_page() -> set[str]:
        state = await rx.State().get_state(CatalogueState)
        for page in (1, 2):
            params = CatalogueParams(page=page)
            state.dirty_vars.clear()
            state._show_choices(params)
            await state._fetch(params)
        return {name for name in state.dirty_vars if not name.startswith("_")}

    assert asyncio.run(turn_the_page()) == {"page", "products"}


def test_a_page_beyond_the_end_shows_the_last_one(engine: Engine, session: Session) -> None:
    for number in range(30):
        make_product(session, f"Fern Hollow {number}")
    session.commit()

    async def open_page() -> tuple[int, int, int]:
        state = await rx.State().get_state(CatalogueState)
        params = CatalogueParams(page=9)
        state._show_choices(params)
        await state._fetch(params)
        return state.page, state.pages, len(state.products)

    assert asyncio.run(open_page()) == (2, 2, 6)


def test_products_that_cannot_be_fetched_when_a_filter_is_expanded_are_reported(
    engine: Engine, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_product(session, "Fern Hollow")
    session.commit()

    class Unreachable:
        async def get(self, *_: object) -> None:
            raise Unavailable()

    async def expand() -> bool:
        state = await rx.State().get_state(CatalogueState)
        state._show_choices(CatalogueParams())
        await state._fetch(CatalogueParams())
        assert not state.has_failed
        monkeypatch.setattr(catalogue, "_LISTS", Unreachable())
        await CatalogueState.event_handlers["show_all"].fn(state, "brand")
        return bool(state.has_failed)

    assert asyncio.run(expand())


@pytest.mark.parametrize(("has_failed", "fetches"), [(False, 0), (True, 1)])
def test_a_late_load_of_an_earlier_choice_fetches_the_newest_one_only_if_it_failed(
    engine: Engine, session: Session, monkeypatch: pytest.MonkeyPatch, has_failed: bool, fetches: int
) -> None:
    make_product(session, "Fern Hollow")
    make_product(session, "Papers", category="Edibles")
    session.commit()

    fetched: list[list[str]] = []

    async def fetch(_state: CatalogueState, params: CatalogueParams) -> None:
        fetched.append(list(params.category))

    async def names() -> list[str]:
        root = rx.State()
        await open_url(root, "/")
        state = await root.get_state(CatalogueState)
        for category in ("Edibles", "THC Flower"):
            await CatalogueState.event_handlers["choose_category"].fn(state, category)
        await open_url(root, "/?category=Edibles")
        state.has_failed = has_failed
        monkeypatch.setattr(CatalogueState, "_fetch", fetch)
        async for _ in CatalogueState.event_handlers["load"].fn(state):
            pass
        return [product.name for product in state.products]

    assert asyncio.run(names()) == ["Fern Hollow"]
    assert fetched == [["THC Flower"]] * fetches


def test_cards_get_what_limits_count_only_while_the_cart_has_limits(engine: Engine, session: Session) -> None:
    flower = make_product(session, "Fern Hollow", net_weight_grams=3.5)
    make_product(session, "Papers", category="Edibles")
    session.commit()
    bucket = LimitBucket("flower", "Flower", 1, 7_000, (CategoryCount(category="THC Flower"),))
    rooms = allowance.rooms([allowance.Use(bucket, 0, 0)])

    async def measures(rooms: list[allowance.Room]) -> dict[int, CountedAmounts]:
        root = rx.State()
        (await root.get_state(CartState)).rooms = rooms
        state = await root.get_state(CatalogueState)
        await state._fetch(CatalogueParams())
        return dict(state.measures)

    assert asyncio.run(measures([])) == {}
    assert asyncio.run(measures(rooms)) == {flower.id: CountedAmounts(weight_mg=3_500, thc_mg=None)}


@pytest.mark.parametrize(
    ("handler", "arguments", "moves"),
    [
        ("toggle", ("category", "Flower"), False),
        ("remove_chip", ("category", "Flower"), True),
        ("clear", (), False),
        ("clear_instead", (), True),
    ],
)
def test_the_focus_moves_only_from_what_disappears_with_the_press(
    handler: str, arguments: tuple[str, ...], moves: bool, engine: Engine
) -> None:
    """A checkbox and 'Clear All' stay; a chip and 'Clear Filters' do not."""

    async def press() -> tuple[str, bool]:
        root = rx.State()
        state = await root.get_state(CatalogueState)
        show_url(root, "/?category=Flower")
        answers = await send(state, handler, *arguments)
        return state.category, focus(HEADING_ID) in answers

    assert asyncio.run(press()) == ("", moves)
