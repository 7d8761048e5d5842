"""A store of its own, which these tests may spoil.

Hostile texts are written into every field that takes text, and every page, mail and file that shows them is opened in
a browser. People send events that they may send, with arguments that no page sends. One sends the ids of what
belongs to somebody else.
"""

import email
import inspect
import json
import os
import random
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.policy import default
from pathlib import Path
from typing import Any, get_type_hints

import httpx
import pytest
from playwright.sync_api import Page, expect
from reflex_base.registry import RegistrationContext
from typing_extensions import is_typeddict

from marketplace_app import marketplace_app  # noqa: F401 - registers the handlers
from marketplace_app.models import Permission
from marketplace_app.states.events.base import policy_of
from tests.builders import draft
from tests.e2e.acts import OWNER, horizontal_overflow
from tests.e2e.conftest import DESKTOP, IS_SCALED, PAGES, PHONE, PORT, ROOT, Store, running
from tests.e2e.wire import cookie_of, tab
from tests.injections import ALL, IS_LONG, MARK, ON_PAGES

pytestmark = [pytest.mark.browser, pytest.mark.stores]

VICTIM, THIEF = "victim@example.org", "thief@example.org"
EVENTS = 5_000 if IS_LONG else 240
EVENTS_OF_A_TAB = 60
PAGES_AT_ONCE = 4
TEXTS = ON_PAGES if IS_LONG else ON_PAGES[:1]
SIZES = (DESKTOP, PHONE) if IS_LONG else (PHONE,)
Figures = Callable[[str, object], None]
CLIENTS = ExitStack()
END_SESSIONS = ("admin_user_form_state.sign_out", "admin_user_form_state.ban", "admin_user_form_state.delete")
"""Handlers that are not tried, because they would end sessions that the tests use."""


@pytest.fixture(scope="module")
def attacked(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """On SQLite; in the scaled form on PostgreSQL, with a database of its own."""
    settings = {"REFLEX_WEB_WORKDIR": PAGES, "REFLEX_ENV_MODE": "prod"}
    if IS_SCALED:
        settings["DATABASE_URL"] = _another_database(store.database_url)
    with CLIENTS, running("tests.e2e.second_store", PORT + 8, tmp_path_factory.mktemp("attacked"), settings) as started:
        yield started


def _another_database(url: str) -> str:
    from sqlalchemy import create_engine, make_url, text

    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("CREATE DATABASE attacked"))
    engine.dispose()
    return make_url(url).set(database="attacked").render_as_string(hide_password=False)


def client_of(store: Store, email: str) -> httpx.Client:
    """Closed with the store."""
    cookies = {"session": cookie_of(store.url, email)}
    client = CLIENTS.enter_context(httpx.Client(base_url=store.url, cookies=cookies, timeout=30))
    client.post("/api/verify-age", json={"dateOfBirth": "1990-04-17"}).raise_for_status()
    return client


def stored(answer: httpx.Response) -> dict[str, Any]:
    """What was stored; nothing if the text was refused."""
    assert answer.status_code in (200, 201, 204, 404, 409, 422), (answer.request.url, answer.status_code, answer.text)
    return dict(answer.json()) if answer.status_code in (200, 201) else {}


def write_everywhere(shopper: httpx.Client, owner: httpx.Client, text: str) -> dict[str, Any]:
    """Write a text into every field that is shown again; returns the ids of the rows that have it."""
    short, me = text[:40], shopper.get("/api/auth/user").json()["id"]
    stored(shopper.put("/api/auth/user", json={"firstName": short, "lastName": short}))
    place = {"street": text, "city": short, "state": "OR", "zip": "97201"}
    notes = {"deliveryInstructions": text, "paymentInstructions": text}
    stored(shopper.post("/api/addresses", json=place | notes | {"label": short}))
    product = {"description": text, "price": "60.00", "category": "THC Flower", "type": "Indica", "stock": 500}
    lists = {"effects": [short], "flavors": [short], "terpenes": [short], "brand": short, "ingredients": text}
    made = stored(owner.post("/api/admin/products", json=product | lists | {"name": text[:80], "potency": ""}))
    bought = int(made.get("id", 1))
    panels = dict.fromkeys(("pesticides", "heavyMetals", "residualSolvents", "microbials"), short)
    report = {"lot": short, "reportedOn": "2026-01-02"} | panels
    stored(owner.put(f"/api/admin/products/{bought}/lab-report", json=report))
    stored(owner.post(f"/api/admin/products/{bought}/stock", json={"change": 1, "note": text}))
    names = {"firstName": short, "lastName": short, "deliveryAddress": text, "contactPhone": "503 555 0142"}
    order = draft(items=[{"productId": bought, "quantity": 2}], **names, **notes)
    key = {"Idempotency-Key": str(uuid.uuid4())}
    placed = stored(shopper.post("/api/orders", json=order, headers=key))
    shopper.post("/api/cart", json={"productId": bought, "quantity": 1})
    shopper.post("/api/saved", json={"productId": bought})
    ticket = stored(shopper.post("/api/support/tickets", json={"subject": text, "message": text}))
    guest = {"subject": text, "message": text, "customerName": short, "customerEmail": "guest@example.org"}
    stored(httpx.post(f"{shopper.base_url}/api/support/tickets", json=guest))
    if ticket:
        stored(owner.post(f"/api/support/tickets/{ticket['id']}/messages", json={"message": text}))
    invited = {"email": f"{uuid.uuid4().hex[:8]}@example.org", "firstName": short, "lastName": short, "notes": text}
    stored(owner.post("/api/admin/invitations/send", json=invited))
    stored(owner.post("/api/admin/search/synonyms", json={"term": short, "replacement": short}))
    stored(owner.put("/api/admin/settings", json={"deliveryFee": f"{random.randint(20, 30)}.00", "reason": text}))
    version = max(
        (each["version"] for each in owner.get("/api/admin/legal").json() if each["page"] == "terms"), default=0
    )
    stored(owner.put("/api/admin/legal/terms", json={"body": f"# {text}\n\n- {text}", "version": version}))
    stored(owner.put(f"/api/admin/users/{me}", json={"firstName": short}))
    owner.get("/api/products", params={"search": text})
    return {"product": bought, "order": placed.get("id"), "ticket": ticket.get("id"), "user": me}


def addresses_with(ids: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The pages that show the texts, to the shopper and to the owner."""
    of_shopper = ["/", f"/product/{ids['product']}", "/account", "/account?tab=settings", "/account?tab=orders"]
    of_shopper += ["/support", "/checkout", "/terms", "/account/privacy", "/?search=" + MARK]
    tabs = ("overview", "orders", "users", "invitations", "support")
    of_owner = [*(f"/admin?tab={each}" for each in tabs), "/admin/invitations", "/admin/audit", "/admin/search"]
    of_owner += ["/admin/products", f"/admin/products/{ids['product']}", "/admin/settings", "/admin/legal"]
    of_owner += [f"/admin/users/{ids['user']}", "/support"]
    if ids["order"]:
        of_shopper.append(f"/orders/{ids['order']}")
        of_owner += [f"/admin/orders/{ids['order']}", f"/admin/orders/{ids['order']}/slip"]
    return of_shopper, of_owner


def visit(pages: list[Page], store: Store, addresses: list[str]) -> None:
    """Open an address in each page."""
    opened = list(zip(pages, addresses, strict=False))
    for page, address in opened:
        page.goto(store.url + address)
    for page, _ in opened:
        page.wait_for_load_state("networkidle")
    pages[0].wait_for_timeout(300)  # what the sockets bring after that
    for page, address in opened:
        where = f"{address} with {page.viewport_size}"
        assert page.evaluate(f"() => window.{MARK} === undefined"), f"a script ran on {where}"
        assert page.url.startswith(store.url), where
        assert page.locator("iframe, base, meta[http-equiv=refresh]").count() == 0, where
        assert "Traceback" not in page.content()
        assert horizontal_overflow(page) == 0, f"a word that is too long widens {where}"


def expect_shown(page: Page, store: Store, ids: dict[str, Any], text: str) -> None:
    """On the pages of the product, the order and the ticket."""
    for address in (f"/product/{ids['product']}", f"/orders/{ids['order']}", f"/support?ticket={ids['ticket']}"):
        page.goto(store.url + address)
        expect(page.get_by_text(text).filter(visible=True).first).to_be_visible()


@pytest.mark.attack("injected texts")
def test_a_browser_shows_hostile_texts_as_text(
    attacked: Store, new_page: Callable[..., Page], record_property: Figures
) -> None:
    """Policy violations and script errors fail it at its end."""
    shopper, owner = client_of(attacked, VICTIM), client_of(attacked, OWNER)
    seen = 0
    written = [write_everywhere(shopper, owner, text) for text in TEXTS]
    for size in SIZES:
        for index, client in enumerate((shopper, owner)):
            cookie = client.cookies["session"]
            pages = [new_page(size) for _ in range(PAGES_AT_ONCE)]
            for page in pages:
                page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
                page.context.add_cookies([{"name": "session", "value": cookie, "url": attacked.url}])
            if client is shopper:
                expect_shown(pages[0], attacked, written[0], TEXTS[0])
            addresses = list(dict.fromkeys(address for ids in written for address in addresses_with(ids)[index]))
            for start in range(0, len(addresses), PAGES_AT_ONCE):
                visit(pages, attacked, addresses[start : start + PAGES_AT_ONCE])
            seen += len(addresses)
    log = attacked.log.read_text()
    assert "Traceback" not in log
    assert not [line for line in log.splitlines() if line.startswith("2026-01-01 00:00:00 ERROR root: the store")]
    record_property("figures", f"{len(TEXTS)} texts in 40 fields: {seen} pages opened, 0 scripts ran, none too wide")


def sent_mails(store: Store) -> list[Path]:
    """Waits for the first answer to a ticket, which is quoted: mail is sent a moment after what it tells of."""
    folder, deadline = store.folder / "mail", time.monotonic() + 30
    while not any(folder.glob("ticket_answered-*.eml")):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return sorted(folder.glob("*.eml"))


@pytest.mark.attack("injected texts")
def test_mails_with_hostile_texts_are_text(attacked: Store, new_page: Callable[..., Page]) -> None:
    page = new_page()
    shopper, owner = client_of(attacked, VICTIM), client_of(attacked, OWNER)
    for text in TEXTS:
        write_everywhere(shopper, owner, text)
    shown = ""
    for file in sent_mails(attacked)[-40:]:
        message = email.message_from_bytes(file.read_bytes(), policy=default)
        assert message["Bcc"] is None
        assert len(message.get_all("Subject", [])) == 1
        assert not set("\r\n") & set(str(message["Subject"]) + str(message["To"]))
        html = message.get_body(("html",))
        assert html is not None
        page.set_content(html.get_content())
        assert page.evaluate(f"() => window.{MARK} === undefined"), file
        assert page.locator("script, iframe, img, svg, base").count() == 0, file
        hosts = page.locator("a").evaluate_all("links => links.map(link => link.protocol + '//' + link.host)")
        assert set(hosts) <= {attacked.url, "mailto://"}, file
        shown += page.inner_text("body")
    assert MARK in shown


def handlers_for(who: str) -> list[tuple[str, dict[str, Any]]]:
    """The handlers that a role may call, with the types of their arguments."""
    found = []
    for name, registered in sorted(RegistrationContext.get().event_handlers.items()):
        handler: Any = registered.handler.fn
        policy = policy_of(handler)
        if policy is None or (who != OWNER and isinstance(policy.who, Permission)) or name.endswith(END_SESSIONS):
            continue
        hints = get_type_hints(handler)
        found.append(
            (name, {argument: hints[argument] for argument in list(inspect.signature(handler).parameters)[1:]})
        )
    return found


def wild(rng: random.Random, kind: Any, ids: list[Any]) -> Any:
    """A value of the type that a handler asks for, or, one time in ten, of any other."""
    if rng.random() < 0.1:
        return rng.choice([None, -1, 2**40, True, "", [], {}, rng.choice(ALL)])
    if is_typeddict(kind):
        return {name: wild(rng, field, ids) for name, field in get_type_hints(kind).items() if rng.random() < 0.9}
    if kind is bool:
        return rng.random() < 0.5
    if kind is int:
        return rng.choice([1, 2, 3, 0, -1, 10**9, *(each for each in ids if isinstance(each, int))])
    if kind is str:
        return rng.choice([*map(str, ids), "1", "2026-01-02", "confirmed", "10.00", "all", rng.choice(ALL)])
    return [wild(rng, str, ids) for _ in range(rng.randrange(3))]


def packet(name: str, payload: dict[str, Any], path: str, query: dict[str, Any]) -> str:
    router = {"pathname": path, "asPath": path, "query": query}
    return "42/_event," + json.dumps(["event", {"name": name, "payload": payload, "router_data": router}])


OTHER_PLACES: list[tuple[str, dict[str, Any]]] = [
    (path, {}) for path in ("/account", "/checkout", "/admin", "/admin/settings", "/")
]


def places_of(ids: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Pages that name something by an id: the path of each, and its arguments."""
    ids = {name: str(value) for name, value in ids.items()}
    found = [(f"{start}/orders/{ids['order']}", {"order_id": ids["order"]}) for start in ("", "/admin")]
    found += [
        (f"{start}/{ids['product']}", {"product_id": ids["product"]}) for start in ("/product", "/admin/products")
    ]
    found += [(f"/admin/users/{ids['user']}", {"user_id": ids["user"]})]
    return [*found, (f"/support?ticket={ids['ticket']}", {"ticket": ids["ticket"]})]


@pytest.mark.attack("another's ids in one's own events")
def test_no_event_with_anothers_id_reads_or_changes_anything(attacked: Store, record_property: Figures) -> None:
    """Every handler that a shopper may call and that takes a number or a text, with each id of somebody else."""
    secret = f"Hidden {uuid.uuid4().hex[:8]}"
    shopper, owner, thief = (client_of(attacked, who) for who in (VICTIM, OWNER, THIEF))
    ids = write_everywhere(shopper, owner, "A usual text")
    address = shopper.get("/api/addresses").json()[-1]["id"]
    place = {"street": secret, "city": "Portland", "state": "OR", "zip": "97201"}
    shopper.put(f"/api/addresses/{address}", json=place).raise_for_status()
    shopper.post(f"/api/support/tickets/{ids['ticket']}/messages", json={"message": secret}).raise_for_status()
    line = shopper.get("/api/cart").json()[-1]["id"]
    known = [ids["order"], ids["ticket"], ids["user"], address, line]
    assert all(known)
    handlers = [(name, kinds) for name, kinds in handlers_for(THIEF) if not any(map(is_typeddict, kinds.values()))]
    before, sent, seen = export_of(shopper), 0, ""
    for path, query in places_of(ids):
        with tab(attacked.url, cookie=thief.cookies["session"]) as attacker:
            for name, kinds in handlers:
                for one in known if kinds else known[:1]:
                    payload = {argument: as_kind(one, kind) for argument, kind in kinds.items()}
                    attacker.socket.send(packet(name, payload, path, query))
                    sent += 1
            arrived = json.dumps(attacker.gather(1.5, first_within_seconds=20))
        assert THIEF in arrived, f"no event was handled on {path}"
        seen += arrived
    assert [each for each in (VICTIM, "503 555 0142", secret) if each in seen] == []
    assert export_of(shopper) == before
    record_property("figures", f"{sent} events with {len(known)} ids of another: nothing read, nothing changed")


def as_kind(one: Any, kind: Any) -> Any:
    if kind is bool:
        return True
    if kind is int:
        return one if isinstance(one, int) else 1
    return str(one) if kind is str else [str(one)]


def export_of(shopper: httpx.Client) -> dict[str, Any]:
    """Everything that the store keeps of somebody, but the times of their sessions."""
    export = dict(shopper.get("/api/account/export").json())
    return {name: value for name, value in export.items() if name not in ("sessions", "exportedAt")}


@pytest.mark.attack("wild events of those who may")
@pytest.mark.parametrize("who", [THIEF, OWNER])
def test_wild_events_of_those_who_may_send_them_break_nothing(
    attacked: Store, who: str, record_property: Figures
) -> None:
    """In one tab after the other, each event on what the ones before it left: no failure, and every promise holds."""
    rng = random.Random(20_261_125)
    person, owner = client_of(attacked, who), client_of(attacked, OWNER)
    ids = write_everywhere(person, owner, "A usual text")
    handlers, known = handlers_for(who), [each for each in ids.values() if each]
    log = attacked.log.stat().st_size
    for _ in range(0, EVENTS, EVENTS_OF_A_TAB):
        with tab(attacked.url, cookie=person.cookies["session"]) as sender:
            for _ in range(EVENTS_OF_A_TAB):
                name, kinds = rng.choice(handlers)
                path, query = rng.choice([*places_of(ids), *OTHER_PLACES])
                payload = {argument: wild(rng, kind, known) for argument, kind in kinds.items()}
                sender.socket.send(packet(name, payload, path, query))
            sender.gather(1)
    written = attacked.log.read_bytes()[log:].decode(errors="replace")
    assert "Traceback" not in written, written[-3_000:]
    assert "unexpected failure" not in written, written[-3_000:]
    assert httpx.get(f"{attacked.url}/readyz").status_code == 200
    expect_invariants(attacked)
    record_property("figures", f"{EVENTS} events of {len(handlers)} handlers by {who}: 0 failures, every promise holds")


def expect_invariants(store: Store) -> None:
    command = [sys.executable, "-m", "marketplace_app", "check-invariants"]
    environment = os.environ | {"DATABASE_URL": store.database_url, "PYTHONWARNINGS": "ignore"}
    checked = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
