"""Placing an order on the checkout page (RULE idempotency-key), at the total that the page showed (RULE
server-prices)."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from reflex.istate.data import RouterData
from reflex.state import State
from sqlalchemy import Engine
from sqlmodel import Session, delete, select

from marketplace_app import db, delivery_messages, messages
from marketplace_app.adapters import live
from marketplace_app.errors import QuoteChanged, Unavailable
from marketplace_app.models import CartLine, Order, Product, User, Window, Zone
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.services import credits, sessions
from marketplace_app.services.buying import cart
from marketplace_app.states.account.account import AccountState
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.buying.checkout import ORDERS_PATH, CheckoutState
from marketplace_app.states.events import base, subscriptions
from marketplace_app.states.events.signal import SignalState
from marketplace_app.states.events.viewer import ViewerState
from tests.builders import make_product, make_window, make_zone
from tests.conftest import ON_SQLITE, Cast
from tests.states.tabs import open_url, reload

FORM = {
    "firstName": "Nora",
    "lastName": "Whitfield",
    "contactPhone": "503 555 0142",
    "deliveryAddress": "214 Larch Street",
    "city": "Portland",
    "state": "OR",
    "zipCode": "97201",
    "deliveryInstructions": "Side door",
    "paymentInstructions": "Envelope",
}


@pytest.fixture
def signed_in(engine: Engine, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tab is Alice's."""
    token = db.write(lambda s: sessions.start(s, s.get_one(User, cast.alice.id)))
    monkeypatch.setattr(base, "session_token_of", lambda _state: token)


@pytest.fixture
def filled_cart(session: Session, cast: Cast, signed_in: None) -> None:
    """Two of a product, and a zone at 97201 whose fee is not that of the shop."""
    fern = make_product(session, price_cents=60_00)
    make_zone(session, "97201", fee_cents=12_00)
    session.commit()
    db.write(lambda s: cart.add(s, s.get_one(User, cast.alice.id), AddForm(productId=fern.id, quantity=2)))


async def send(root: State, handler: str, *arguments: object) -> None:
    """Run a handler of the checkout as its page does."""
    state = await root.get_state(CheckoutState)
    running = CheckoutState.event_handlers[handler].fn(state, *arguments)
    if handler == "place":
        async for _ in running:
            pass
    else:
        await running


def placed() -> list[int]:
    """The totals of all orders."""
    return db.read(lambda s: [order.total_cents for order in s.scalars(select(Order))])


Push = Callable[[State], Awaitable[None]]


@pytest.fixture
def push(cast: Cast) -> Iterator[Push]:
    """Refreshes the tab as when Alice saves a product in another tab, which announces `live.cart`."""
    subscriptions.set_tab_user("", cast.alice.id)

    async def refresh(root: State) -> None:
        for state_class in subscriptions.subscribers(frozenset({live.cart(cast.alice.id)}))[""]:
            state: Any = await root.get_state(state_class)
            await state._refresh()

    yield refresh
    subscriptions.set_tab_user("", None)
    subscriptions.unsubscribe("")


def visit(steps: Callable[[State, CheckoutState, CartState], Awaitable[Any]]) -> Any:
    """Load the cart and the checkout, then run `steps`; returns their result."""

    async def run() -> Any:
        root = State()
        await CartState.event_handlers["load"].fn(await root.get_state(CartState))
        await send(root, "load")
        return await steps(root, await root.get_state(CheckoutState), await root.get_state(CartState))

    return asyncio.run(run())


@ON_SQLITE
def test_a_second_click_after_the_order_was_placed_says_nothing(signed_in: None) -> None:
    """The order has emptied the cart and used up the key."""

    async def click(key: str) -> str:
        root = State()
        (await root.get_state(CheckoutState))._key = key
        await send(root, "place", FORM)
        return str((await root.get_state(SignalState)).title)

    assert asyncio.run(click("")) == ""
    assert asyncio.run(click("one")) == "Empty Cart"


@ON_SQLITE
@pytest.mark.parametrize("comes_back", [False, True])
def test_an_order_whose_answer_was_lost_is_found_by_its_key(
    comes_back: bool, filled_cart: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(root: State, state: CheckoutState, _cart: CartState) -> tuple[str, str]:
        write = base.acting.write
        await send(root, "check_field", "zipCode", "97201")

        def lose_answer(*args: Any, **kwargs: Any) -> Any:
            write(*args, **kwargs)
            raise Unavailable

        with monkeypatch.context() as patched:
            patched.setattr(base.acting, "write", lose_answer)
            await send(root, "place", FORM)
        key, signal = state._key, await root.get_state(SignalState)
        said = signal.title
        assert placed() == [102_00]
        await send(root, *(("load",) if comes_back else ("place", FORM)))
        assert state._key != key
        return said, signal.title

    assert visit(steps) == (messages.ORDER_FAILED.title, messages.order_placed("48 hours").title)
    assert placed() == [102_00]


@ON_SQLITE
def test_a_total_that_was_not_on_the_screen_yet_is_not_agreed_to(filled_cart: None) -> None:
    """A ZIP code is typed and the button pressed: leaving the field changes the fee before the form arrives."""

    async def press(root: State, state: CheckoutState, shown: CartState) -> tuple[str, str, str]:
        before = shown.total
        await send(root, "check_field", "zipCode", "97201")
        await send(root, "place", FORM | {"total": before})
        said, after = state.changed_notice, shown.total
        assert placed() == []
        await send(root, "place", FORM | {"total": after})
        return before, said, after

    assert visit(press) == ("$115.00", QuoteChanged.message, "$102.00")
    assert placed() == [102_00]


@ON_SQLITE
@pytest.mark.parametrize("total", ["", "nothing", "-1", "$1,02.00", "9" * 400])
def test_a_total_that_is_no_amount_orders_nothing(filled_cart: None, total: str) -> None:
    async def press(root: State, _state: CheckoutState, _shown: CartState) -> str:
        await send(root, "place", FORM | {"total": total})
        return str((await root.get_state(SignalState)).title)

    assert visit(press) == "Order Failed"
    assert placed() == []


def set_price(session: Session) -> None:
    session.scalars(select(Product)).one().price_cents = 65_00


def set_zone_fee(session: Session) -> None:
    session.scalars(select(Zone)).one().fee_cents = 15_00


def set_quantity(session: Session) -> None:
    session.scalars(select(CartLine)).one().quantity = 3


async def reconnect(root: State) -> None:
    (await root.get_state(ViewerState))._has_reconnected = True
    await send(root, "load")


@ON_SQLITE
@pytest.mark.parametrize(
    ("change", "total", "notice"),
    [
        (set_price, "$109.50", QuoteChanged.message),
        (set_zone_fee, "$105.00", QuoteChanged.message),
        (set_quantity, "$147.00", ""),
    ],
)
@pytest.mark.parametrize("by", ["push", "reconnect"])
def test_a_new_total_has_a_notice_only_if_it_is_not_from_the_shoppers_own_change(
    change: Callable[[Session], None], total: str, notice: str, by: str, filled_cart: None, push: Push
) -> None:
    async def watch(root: State, state: CheckoutState, shown: CartState) -> tuple[str, str]:
        await send(root, "check_field", "zipCode", "97201")
        assert (shown.total, state.changed_notice) == ("$102.00", "")
        db.write(change)
        await (push(root) if by == "push" else reconnect(root))
        return shown.total, state.changed_notice

    assert visit(watch) == (total, notice)


@ON_SQLITE
def test_a_choice_of_the_shopper_does_not_hide_that_a_price_changed(filled_cart: None, push: Push) -> None:
    """The choice shows the new total before the push does."""

    async def choose(root: State, state: CheckoutState, _shown: CartState) -> str:
        db.write(set_price)
        await send(root, "check_field", "zipCode", "97201")
        await push(root)
        return state.changed_notice

    assert visit(choose) == QuoteChanged.message


@ON_SQLITE
def test_a_notice_stays_after_a_reconnect_and_goes_when_the_page_is_opened_again(filled_cart: None, push: Push) -> None:
    async def come_back(root: State, state: CheckoutState, _shown: CartState) -> tuple[str, str]:
        db.write(set_price)
        await push(root)
        await reconnect(root)
        after_reconnect = state.changed_notice
        (await root.get_state(ViewerState))._has_reconnected = False
        await send(root, "load")
        return after_reconnect, state.changed_notice

    assert visit(come_back) == (QuoteChanged.message, "")


@ON_SQLITE
def test_a_push_shows_the_total_of_the_page_again(cast: Cast, filled_cart: None, push: Push) -> None:
    """The total with the credit and for the ZIP code in the form, not for the default address."""
    db.write(lambda s: credits.set_balance(s, cast.alice.id, 20_00))

    async def totals(root: State, _state: CheckoutState, shown: CartState) -> list[str]:
        await send(root, "check_field", "zipCode", "97201")
        await send(root, "toggle_credit", True)
        before = shown.total
        await push(root)
        return [before, shown.total]

    assert visit(totals) == ["$82.00", "$82.00"]


@ON_SQLITE
def test_a_push_keeps_the_form_when_the_cart_was_emptied(cast: Cast, filled_cart: None, push: Push) -> None:
    async def is_ready(root: State, state: CheckoutState, shown: CartState) -> tuple[bool, bool]:
        db.write(lambda s: cart.remove(s, s.get_one(User, cast.alice.id), shown.lines[0].id))
        await push(root)
        return state.is_ready, shown.can_check_out

    assert visit(is_ready) == (True, False)


@ON_SQLITE
def test_a_push_says_that_the_chosen_time_is_gone_and_prices_changed(
    session: Session, filled_cart: None, push: Push
) -> None:
    make_window(session, session.scalars(select(Zone)).one())
    session.commit()

    async def lose(root: State, state: CheckoutState, _shown: CartState) -> tuple[str, str]:
        await send(root, "check_field", "zipCode", "97201")
        await send(root, "choose_slot", state.times[-1].key)
        await push(root)
        assert (state.slot, state.changed_notice) == (state.times[-1].key, "")
        db.write(lambda s: s.execute(delete(Window)))
        db.write(set_price)
        await push(root)
        return state.slot, state.changed_notice

    assert visit(lose) == ("", f"{QuoteChanged.message} {delivery_messages.WINDOW_FULL}")


@ON_SQLITE
@pytest.mark.parametrize(("is_seen", "title"), [(True, "Empty Cart"), (False, "Order Placed Successfully!")])
def test_going_back_says_that_the_order_was_placed_only_if_the_orders_were_not_shown(
    filled_cart: None, is_seen: bool, title: str
) -> None:
    """Only a browser that never received the answer is told at its next load, even if that is of a new document."""

    async def back(root: State, _state: CheckoutState, shown: CartState) -> str:
        await send(root, "check_field", "zipCode", "97201")
        await send(root, "place", FORM | {"total": shown.total})
        if is_seen:
            root.router = RouterData.from_router_data({"asPath": ORDERS_PATH, "headers": {"origin": "http://a"}})
            async for _ in AccountState.event_handlers["load"].fn(await root.get_state(AccountState)):
                pass
        await open_url(root, "/checkout")
        await reload(root)
        await send(root, "load")
        return str((await root.get_state(SignalState)).title)

    assert visit(back) == title
