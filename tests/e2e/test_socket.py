"""The event socket is a public interface: forged events, foreign origins, borrowed tabs (promises P6 and P7)."""

import json
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from marketplace_app.web.open_sockets import MAX_SOCKETS_OF_ADDRESS
from tests.e2e.acts import OWNER, new_email, sign_in_as_adult, sign_in_by_request
from tests.e2e.conftest import Store
from tests.e2e.wire import STATES, Tab, cookie_of, hydrate, tab

pytestmark = pytest.mark.browser

ADD = "buying___cart____cart_state.add"


def expect_added(shopper: Tab) -> None:
    """The tab puts a product into its empty cart, and is told so."""
    shopper.send(STATES + ADD, product_id=1)
    shopper.until(lambda seen: seen.get("cart_state.count") == 1)


def test_a_signed_in_shopper_may_add(store: Store) -> None:
    with tab(store.url, cookie=cookie_of(store.url, "wire@example.org")) as mine:
        seen = mine.call(ADD, product_id=1)
    assert seen["cart_state.count"] == 1
    assert seen["signal_state.title"] == "Added to Cart"
    assert seen["viewer_state.email"] == "wire@example.org"


def test_a_guest_is_redirected_to_sign_in(store: Store) -> None:
    with tab(store.url) as guest:
        seen = guest.call(ADD, path="/?type=Indica", product_id=1)
    assert seen["signal_state.title"] == "Please Sign In"
    assert seen["signal_state.text"] == "You need to sign in to add items to your cart."
    assert seen["signal_state.after_ms"] == 1500
    assert seen["signal_state.href"] == "/api/login?return_to=/%3Ftype%3DIndica"
    assert "cart_state.count" not in seen


@pytest.mark.attack("forged events")
@pytest.mark.parametrize(
    "name",
    [
        "reflex___state____state.setvar",
        STATES + "events___viewer____viewer_state.setvar",
        STATES + "events___viewer____viewer_state._set_user",
        STATES + "buying___cart____cart_state._show",
        STATES + "events___signal____signal_state._navigate",
        STATES + "buying___cart____cart_state.reset",
        STATES + "buying___cart____cart_state.get_state",
        "no.such.state.at_all",
        "",
    ],
)
def test_events_that_are_not_allowed_do_nothing(store: Store, name: str) -> None:
    """Nothing answers them. The events of a tab are handled in order, so the next one's answer comes after them."""
    with tab(store.url, cookie=cookie_of(store.url, f"wire-{uuid.uuid4().hex}@example.org")) as mine:
        add_one(mine, 1)
        mine.send(name, var_name="is_staff", value=True)
        seen = add_one(mine, 2)
        assert not any(key.endswith("is_staff") for key in seen)


def add_one(mine: Tab, count: int) -> dict[str, Any]:
    """What arrives until the cart has that many."""
    mine.send(STATES + ADD, product_id=1)
    return mine.until(lambda seen: seen.get("cart_state.count") == count)


@pytest.mark.attack("forged events")
@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"product_id": "one"},
        {"product_id": [1]},
        {"product_id": -1},
        {"product_id": True},
        {"product_id": 10**30},
        {"product_id": {"$gt": 0}},
        {"product_id": 1, "price": 1},
        {"product_id": None},
    ],
)
def test_forged_arguments_are_refused_and_write_nothing(store: Store, payload: dict[str, object]) -> None:
    cookie = cookie_of(store.url, f"forger-{uuid.uuid4().hex}@example.org")
    with tab(store.url, cookie=cookie) as mine:
        seen = mine.call(ADD, **payload)
    assert seen.get("signal_state.title") in (None, "Failed to Add")
    assert httpx.get(f"{store.url}/api/cart", cookies={"session": cookie}).json() == []


@pytest.mark.attack("forged events")
def test_client_storage_updates_cannot_set_vars(store: Store) -> None:
    with tab(store.url, cookie=cookie_of(store.url, "wire3@example.org")) as mine:
        mine.call("buying___cart____cart_state.load")
        target = STATES + "events___viewer____viewer_state.is_staff"
        mine.send(
            "reflex___state____state.reflex___state____update_vars_internal_state.update_vars_internal",
            vars={target: True, target + "_rx_state_": True},
        )
        assert "viewer_state.is_staff" not in mine.gather()


def test_a_tab_keeps_its_state_though_its_old_connection_is_still_open(store: Store) -> None:
    """A phone that changes networks connects anew long before the server knows that the old connection is dead."""
    cookie, token = cookie_of(store.url, "traveller@example.org"), str(uuid.uuid4())
    with tab(store.url, cookie=cookie, token=token) as before:
        before.call("products___product____product_state.load", path="/product/1", query={"product_id": "1"})
        before.call("products___product____product_state.show_tab", path="/product/1", tab="lab")
        with tab(store.url, cookie=cookie, token=token, first=hydrate()) as after:
            seen = after.gather()
            assert (seen["product_state.tab"], seen["viewer_state.email"]) == ("lab", "traveller@example.org")
            assert before.call(ADD, product_id=1) == {}
            expect_added(after)


def test_a_copy_of_a_tab_has_a_state_of_its_own(store: Store) -> None:
    cookie, token = cookie_of(store.url, "copier@example.org"), str(uuid.uuid4())
    with tab(store.url, cookie=cookie, token=token) as mine:
        mine.call("products___product____product_state.show_tab", path="/product/1", tab="lab")
        with tab(store.url, cookie=cookie, token=token, first=hydrate(hashes={})) as copy:
            assert copy.gather().get("product_state.tab", "description") == "description"
        expect_added(mine)


@pytest.mark.attack("a stolen tab")
def test_nobody_else_takes_a_tab_from_its_open_connection(store: Store) -> None:
    token = str(uuid.uuid4())
    with tab(store.url, cookie=cookie_of(store.url, "steady@example.org"), token=token) as theirs:
        theirs.call("products___product____product_state.show_tab", path="/product/1", tab="lab")
        for cookie in (None, cookie_of(store.url, "thief@example.org")):
            with tab(store.url, cookie=cookie, token=token, first=hydrate()) as thief:
                assert thief.gather()["product_state.tab"] == "description"
        expect_added(theirs)


@pytest.mark.attack("a stolen tab")
def test_anothers_tab_token_restores_nothing(store: Store) -> None:
    token = str(uuid.uuid4())
    with tab(store.url, cookie=cookie_of(store.url, "owner-of-tab@example.org"), token=token) as theirs:
        expect_added(theirs)
    with tab(store.url, cookie=cookie_of(store.url, "thief@example.org"), token=token) as mine:
        mine.send("reflex___state____state.hydrate")
        seen = mine.gather()
    assert seen["cart_state.count"] == 0
    assert seen["cart_state.lines"] == []
    assert seen["viewer_state.email"] == "thief@example.org"
    with tab(store.url, token=token) as guest:
        guest.send("reflex___state____state.hydrate")
        assert "example.org" not in json.dumps(guest.gather())


def test_a_sign_out_elsewhere_holds_from_the_next_event_on(store: Store) -> None:
    cookie = cookie_of(store.url, "leaver@example.org")
    with tab(store.url, cookie=cookie) as mine:
        expect_added(mine)
        httpx.post(f"{store.url}/api/auth/logout", cookies={"session": cookie})
        seen = mine.call(ADD, product_id=1)
    assert seen["viewer_state.is_signed_in"] is False
    assert seen["cart_state.count"] == 0
    assert seen["signal_state.title"] == "Please Sign In"


def test_an_order_under_the_minimum_is_refused_however_it_is_sent(store: Store) -> None:
    cookie = cookie_of(store.url, f"small-{uuid.uuid4().hex[:8]}@example.org")
    httpx.post(f"{store.url}/api/verify-age", json={"dateOfBirth": "1990-01-01"}, cookies={"session": cookie})
    form = {
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
    with tab(store.url, cookie=cookie) as mine:
        mine.call(ADD, product_id=1)
        mine.call("buying___checkout____checkout_state.load", path="/checkout")
        seen = mine.call("buying___checkout____checkout_state.place", path="/checkout", form=form)
    assert seen["signal_state.title"] == "Minimum Order Required"
    assert seen["signal_state.text"] == "Minimum order amount is $100.00. Please add more items to your cart."
    assert httpx.get(f"{store.url}/api/orders", cookies={"session": cookie}).json() == []


def test_a_foreign_page_cannot_open_the_socket(store: Store) -> None:
    with pytest.raises((InvalidStatus, ConnectionClosed)), tab(store.url, origin="https://evil.example"):
        pass


def hold_sockets(store: Store, address: str, held: ExitStack) -> int:
    """Opens as many as each process of the store allows this address, and returns how many those are."""
    opened = refusals = 0
    while refusals < 10:  # in a row: with several processes, any of them may get the next connection
        try:
            held.enter_context(tab(store.url, address=address))
        except InvalidStatus as refused:
            assert refused.response.status_code == 429
            refusals += 1
        else:
            opened, refusals = opened + 1, 0
        assert opened < 1_000
    return opened


@pytest.mark.attack("sockets that are opened and kept")
def test_one_address_cannot_hold_all_sockets(store: Store, record_property: Callable[[str, object], None]) -> None:
    with ExitStack() as held:
        opened = hold_sockets(store, "127.0.7.1", held)
        assert opened and opened % MAX_SOCKETS_OF_ADDRESS == 0
        with tab(store.url, cookie=cookie_of(store.url, "wire4@example.org"), address="127.0.7.2") as somebody:
            expect_added(somebody)
    record_property("figures", f"{opened} sockets of one address opened, every further one refused, others not")


def test_a_page_that_was_refused_a_socket_tries_again_by_itself(store: Store, new_page: Callable[..., Page]) -> None:
    page = new_page(allowed_error="WebSocket connection to")
    sign_in_by_request(page, "patient@example.org")
    with ExitStack() as held:
        hold_sockets(store, "127.0.0.1", held)
        page.goto("/account")
        expect(page.get_by_text("No connection to the store. Trying again...")).to_be_visible()
    expect(page.get_by_text("No connection to the store. Trying again...")).to_be_hidden()
    expect(page.get_by_text("patient@example.org").first).to_be_visible()


def test_a_huge_message_closes_only_its_own_connection(store: Store) -> None:
    with pytest.raises(ConnectionClosed), tab(store.url) as attacker:
        attacker.send(STATES + ADD, product_id="x" * 200_000)
        attacker.gather(2)
        attacker.send(STATES + ADD, product_id=1)
        attacker.gather(2)
    assert httpx.get(f"{store.url}/readyz").status_code == 200


@pytest.mark.parametrize(
    "message", ["42/_event,[]", '42/_event,["event"]', '42/_event,["event",7]', "42/_event,{", "hello", "99"]
)
def test_malformed_messages_leave_the_store_running(store: Store, message: str) -> None:
    with tab(store.url) as attacker:
        attacker.socket.send(message)
        with suppress(ConnectionClosed):
            attacker.gather()
    assert httpx.get(f"{store.url}/healthz").status_code == 200


@pytest.mark.attack("a stolen tab")
def test_a_stolen_tab_token_shows_nothing(store: Store) -> None:
    """The user closed the tab; an attacker without a cookie connects with its token, sends nothing and waits."""
    token, email = str(uuid.uuid4()), f"victim-{uuid.uuid4().hex[:8]}@example.org"
    cookie = cookie_of(store.url, email)
    with tab(store.url, cookie=cookie, token=token) as theirs:
        theirs.call("account___account____account_state.load", path="/account")
    with tab(store.url, token=token) as thief:
        form = {"subject": "Where is it?", "message": "My order should have been here by noon."}
        httpx.post(f"{store.url}/api/support/tickets", json=form, cookies={"session": cookie}).raise_for_status()
        httpx.post(f"{store.url}/api/verify-age", json={"dateOfBirth": "1990-01-01"}, cookies={"session": cookie})
        assert email not in json.dumps(thief.gather(2.5))


@pytest.mark.attack("a stolen tab")
def test_the_stolen_token_of_an_admin_tab_shows_nothing(
    store: Store, record_property: Callable[[str, object], None]
) -> None:
    """Orders, people and figures of the shop: with no cookie, and with that of a shopper."""
    owner, shopper = (cookie_of(store.url, name) for name in (OWNER, f"curious-{uuid.uuid4().hex[:8]}@example.org"))
    with ExitStack() as opened:
        thieves = [
            opened.enter_context(tab(store.url, cookie=cookie, token=token_of_closed_tab(store, owner, place)))
            for place in ("overview", "orders", "users")
            for cookie in (None, shopper)
        ]
        ticket = {"subject": "Hello", "message": "Is anybody there?", "customerEmail": "guest@example.org"}
        httpx.post(f"{store.url}/api/support/tickets", json=ticket).raise_for_status()
        time.sleep(1.5)  # what is pushed to a tab of the owner comes within a second
        arrived = [thief.gather(0.1) for thief in thieves]
    for seen in arrived:
        assert not seen.get("viewer_state.is_staff")
        assert not [name for name in seen if name.startswith("admin_")]
    size = sum(len(json.dumps(seen)) for seen in arrived if seen)
    record_property("figures", f"6 admin tabs taken over: {size} bytes arrived, nothing of the admin pages in them")


def token_of_closed_tab(store: Store, owner: str, place: str) -> str:
    """Of the admin pages."""
    token = str(uuid.uuid4())
    with tab(store.url, cookie=owner, token=token) as theirs:
        theirs.send(STATES + "admin___dashboard____dashboard_state.load", path=f"/admin?tab={place}")
        theirs.until(lambda seen: seen.get("viewer_state.is_staff"))
    return token


def test_a_tab_with_its_cookie_is_told_of_changes(store: Store) -> None:
    """The control of the tests above, in which nothing arrives."""
    email = f"watcher-{uuid.uuid4().hex[:8]}@example.org"
    cookie = cookie_of(store.url, email)
    with tab(store.url, cookie=cookie) as mine:
        mine.call("account___account____account_state.load", path="/account")
        httpx.post(f"{store.url}/api/auth/logout?everywhere=true", cookies={"session": cookie})
        seen = mine.gather(2.5)
    assert seen["viewer_state.is_signed_in"] is False


# The first two: one is opened before React mounts, and is only replaced if it fails.
FAIL_CONNECTIONS = """
  let attempts = 0;
  window.WebSocket = new Proxy(WebSocket, {
    construct: (Usual, [url, ...rest]) => new Usual(++attempts > 2 ? url : url.replace("/_event", "/nowhere"), ...rest),
  });
"""


def test_a_page_whose_first_connection_fails_is_loaded_with_the_next(new_page: Callable[..., Page]) -> None:
    """After a reconnect, a dialog that was open would still be."""
    page = new_page(allowed_error="WebSocket connection to")
    sign_in_as_adult(page, new_email(), to="/account?tab=settings")
    add, dialog = page.get_by_role("button", name="Add Address"), page.get_by_role("dialog", name="Add address")
    add.click()
    expect(dialog).to_be_visible()
    page.add_init_script(FAIL_CONNECTIONS)
    page.reload()
    expect(page.get_by_label("First name", exact=True)).to_be_visible()
    expect(dialog).to_have_count(0)
