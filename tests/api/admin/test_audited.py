"""Every write of the admin API leaves an audit entry with a sentence of its own.

A new route must be listed here, or a test fails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.models import Product, User
from marketplace_app.schemas.jurisdictions.jurisdictions import VersionForm
from tests.api.admin.test_product_csv import sheet
from tests.api.admin.test_products import REPORT
from tests.api.test_product_uploads import PDF, photo
from tests.builders import draft, make_product
from tests.conftest import Cast, SignIn
from tests.documented import openapi

PEOPLE = b"email,firstName\nnora@example.org,Nora\n"
RUNS, NOT_HOME = "/api/admin/runs", {"outcome": "failed", "reason": "not_home"}
PNG, PDF_TYPE = {"Content-Type": "image/png"}, {"Content-Type": "application/pdf"}


@dataclass(frozen=True)
class AdminSite:
    """The owner's client, and what it acts on. Most methods make what they are named after, and return its id or
    path."""

    ada: TestClient
    alice: TestClient
    bob: User
    fern: Product

    def order(self) -> str:
        return str(self.alice.post("/api/orders", json=draft((self.fern, 2))).json()["id"])

    def ticket(self) -> str:
        body = {"subject": "Missing bag", "message": "One of two bags came."}
        return str(self.alice.post("/api/support/tickets", json=body).json()["id"])

    def invitation(self) -> int:
        sent = self.ada.post("/api/admin/invitations/send", json={"email": "mary@example.org"})
        return int(sent.json()["id"])

    def driver(self) -> int:
        return int(self.ada.get("/api/admin/drivers").json()[0]["id"])

    def run(self, *, is_out: bool = False) -> str:
        """Driven by the owner herself, with one order."""
        body = {"day": "2026-11-27", "driverId": self.driver(), "orderIds": [self.order()]}
        path = f"/api/admin/runs/{self.ada.post('/api/admin/runs', json=body).json()['id']}"
        if is_out:
            self.ada.post(f"{path}/depart").raise_for_status()
        return path

    def stop(self, *, is_out: bool = False) -> str:
        path = self.run(is_out=is_out)
        return f"{path}/stops/{self.stop_id(path)}"

    def stop_id(self, path: str) -> int:
        return int(self.ada.get(path).json()["stops"][0]["id"])

    def finished_run(self) -> str:
        """A run whose only stop has ended."""
        path = self.run(is_out=True)
        self.ada.post(f"{path}/stops/{self.stop_id(path)}/paper", json=NOT_HOME).raise_for_status()
        return path

    def cash_path(self, path: str) -> str:
        """A path of the cash API, once the desk holds $80."""
        body = {"account": "desk", "counted": "80.00", "note": "Opening balance"}
        self.ada.post("/api/admin/cash/counts", json=body).raise_for_status()
        return f"/api/admin/cash/{path}"

    def shift(self) -> str:
        opened = self.ada.post("/api/admin/shifts", json={"driverId": self.driver()})
        return f"/api/admin/shifts/{opened.json()['id']}"

    def counted_shift(self) -> str:
        path = self.shift()
        self.ada.post(f"{path}/counts", json={"pieces": {}}).raise_for_status()
        return path

    def flagged_stop(self) -> str:
        """A stop that was entered from paper without its PIN."""
        self.ada.post("/api/admin/zones", json={"name": "East", "zips": ["97201"]}).raise_for_status()
        path = self.stop(is_out=True)
        delivered = {"outcome": "delivered", "idChecked": True, "counted": "500.00"}
        self.ada.post(f"{path}/paper", json=delivered).raise_for_status()
        return path

    def report(self) -> str:
        path = f"/api/admin/products/{self.fern.id}/lab-report"
        self.ada.put(path, json=REPORT).raise_for_status()
        return path

    def report_file(self) -> str:
        path = f"{self.report()}/pdf"
        self.ada.put(path, content=PDF, headers=PDF_TYPE).raise_for_status()
        return path

    def batch(self) -> str:
        made = self.ada.post(BATCHES, json={"productId": self.fern.id, "code": "B1", "units": 3})
        return f"{BATCHES}/{made.json()['id']}"

    def held_batch(self) -> str:
        path = self.batch()
        self.ada.post(f"{path}/hold", json=REASON).raise_for_status()
        return path

    def zone(self) -> str:
        made = self.ada.post("/api/admin/zones", json={"name": "West", "zips": ["97301"]})
        return f"/api/admin/zones/{made.json()['id']}"

    def window(self) -> str:
        body = window_body(self.zone(), opens="17:00")
        return f"{WINDOWS}/{self.ada.post(WINDOWS, json=body).json()['id']}"

    def closure(self) -> str:
        self.ada.post("/api/admin/closures", json={"day": "2026-12-24"}).raise_for_status()
        return "/api/admin/closures/2026-12-24"

    def rules(self) -> str:
        made = self.ada.post("/api/admin/rules", json=VersionForm.EXAMPLE)
        return f"/api/admin/rules/{made.json()['id']}"

    def product_body(self) -> dict[str, object]:
        product = self.ada.get(f"/api/admin/products/{self.fern.id}").json()
        names = ("description", "price", "category", "type", "potency", "stock")
        return {name: product[name] for name in names} | {"name": "Fern Hollow, late"}


def window_body(zone: str, **changes: object) -> dict[str, object]:
    of_zone = int(zone.rpartition("/")[2])
    return {"zoneId": of_zone, "weekday": 4, "opens": "16:00", "closes": "19:00", "capacity": 3} | changes


def save_window(site: "AdminSite", method: str, path: str) -> Callable[[], httpx.Response]:
    zones = site.ada.get("/api/admin/zones").json()
    body = window_body(str(zones[0]["id"]) if zones else site.zone())
    return lambda: site.ada.request(method, path, json=body)


Write = Callable[[AdminSite], Callable[[], httpx.Response]]


def open_shift(site: AdminSite) -> Callable[[], httpx.Response]:
    body = {"driverId": site.driver()}
    return lambda: site.ada.post("/api/admin/shifts", json=body)


def save_run(site: AdminSite, method: str, path: str) -> Callable[[], httpx.Response]:
    body = {"day": "2026-11-28", "driverId": site.driver()}
    return lambda: site.ada.request(method, path, json=body)


def add_stop(site: AdminSite) -> Callable[[], httpx.Response]:
    path, body = site.run(), {"orderId": site.order()}
    return lambda: site.ada.post(f"{path}/stops", json=body)


def reorder(site: AdminSite) -> Callable[[], httpx.Response]:
    path = site.run()
    site.ada.post(f"{path}/stops", json={"orderId": site.order()}).raise_for_status()
    stops = [stop["id"] for stop in site.ada.get(path).json()["stops"]]
    return lambda: site.ada.put(f"{path}/order", json={"stopIds": stops[::-1]})


def receive(site: AdminSite) -> Callable[[], httpx.Response]:
    body = {"productId": site.fern.id, "code": "B2", "units": 3}
    return lambda: site.ada.post(BATCHES, json=body)


def recall(path: str) -> Write:
    def prepare(site: AdminSite) -> Callable[[], httpx.Response]:
        body = REASON | {"batchId": int(site.batch().rpartition("/")[2])}
        return lambda: site.ada.post(f"/api/admin/{path}", json=body)

    return prepare


def change_batch(site: AdminSite) -> Callable[[], httpx.Response]:
    """Swap the batch of an order whose customer accepts any batch."""
    site.ada.post(ZONES, json={"name": "East", "zips": ["97201"]}).raise_for_status()
    new = int(site.batch().rpartition("/")[2])
    body = draft((site.fern, 2), substitution="any")
    order = ORDER.format(site.alice.post("/api/orders", json=body).json()["id"])
    (batch,) = site.ada.get(order).json()["batches"]
    swap = {"fromBatchId": batch["batchId"], "toBatchId": new}
    return lambda: site.ada.post(f"{order}/lines/{site.fern.id}/batch", json=swap)


def user_path(site: AdminSite, verb: str = "") -> str:
    return f"/api/admin/users/{site.bob.id}{verb}"


def product_path(site: AdminSite, part: str = "") -> str:
    return f"/api/admin/products/{site.fern.id}{part}"


def call(method: str, path_of: Callable[[AdminSite], str], **request: object) -> Write:
    """The object in the path is created in `prepare`, before the audit entries are counted."""

    def prepare(site: AdminSite) -> Callable[[], httpx.Response]:
        path = path_of(site)
        return lambda: site.ada.request(method, path, **request)  # type: ignore[arg-type]

    return prepare


def edit_product(site: AdminSite) -> Callable[[], httpx.Response]:
    body = site.product_body()
    return lambda: site.ada.put(product_path(site), json=body)


def set_status_of_many(site: AdminSite) -> Callable[[], httpx.Response]:
    body = {"ids": [site.order()], "status": "confirmed"}
    return lambda: site.ada.post("/api/admin/orders/status", json=body)


def unban(site: AdminSite) -> Callable[[], httpx.Response]:
    site.ada.post(user_path(site, "/ban"), json={"reason": "Resold"}).raise_for_status()
    return lambda: site.ada.post(user_path(site, "/unban"))


NEW = {
    "name": "Quiet Meadow",
    "description": "Hay and chamomile.",
    "price": "48.50",
    "category": "THC Flower",
    "type": "Indica",
    "potency": "",
    "stock": 3,
}
ORDER, INVITATION = "/api/admin/orders/{}", "/api/admin/invitations/{}/{}"
BATCHES, REASON = "/api/admin/batches", {"reason": "Mould found"}
WINDOWS, ZONES, ZONE = "/api/admin/windows", "/api/admin/zones", {"name": "East side", "zips": ["97201"]}
SYNONYMS, SYNONYM = "/api/admin/search/synonyms", {"term": "reefer", "replacement": "Pre-Roll"}
WRITES: dict[str, Write] = {
    "put /api/admin/orders/{order_id}": call(
        "PUT", lambda site: ORDER.format(site.order()), json={"status": "confirmed"}
    ),
    "post /api/admin/orders/{order_id}/lines/{product_id}/batch": change_batch,
    "delete /api/admin/orders/{order_id}": call("DELETE", lambda site: ORDER.format(site.order())),
    "post /api/admin/orders/status": set_status_of_many,
    "put /api/admin/tickets/{ticket_id}": call(
        "PUT", lambda site: f"/api/admin/tickets/{site.ticket()}", json={"status": "in_progress"}
    ),
    "post /api/support/tickets/{ticket_id}/messages": call(
        "POST", lambda site: f"/api/support/tickets/{site.ticket()}/messages", json={"message": "On its way."}
    ),
    "put /api/admin/users/{user_id}": call("PUT", user_path, json={"firstName": "Robert", "referralCredit": "5.00"}),
    "delete /api/admin/users/{user_id}": call("DELETE", user_path),
    "post /api/admin/users/{user_id}/ban": call(
        "POST", lambda site: user_path(site, "/ban"), json={"reason": "Resold"}
    ),
    "post /api/admin/users/{user_id}/unban": unban,
    "post /api/admin/users/{user_id}/sign-out": call("POST", lambda site: user_path(site, "/sign-out")),
    "put /api/admin/users/{user_id}/role": call("PUT", lambda site: user_path(site, "/role"), json={"role": "support"}),
    "post /api/admin/invitations/send": call(
        "POST", lambda site: "/api/admin/invitations/send", json={"email": "sam@example.org"}
    ),
    "post /api/admin/invitations/import": call(
        "POST", lambda site: "/api/admin/invitations/import", files={"file": ("people.csv", PEOPLE, "text/csv")}
    ),
    "post /api/admin/invitations/{invitation_id}/resend": call(
        "POST", lambda site: INVITATION.format(site.invitation(), "resend")
    ),
    "post /api/admin/invitations/{invitation_id}/revoke": call(
        "POST", lambda site: INVITATION.format(site.invitation(), "revoke")
    ),
    "post /api/admin/products": call("POST", lambda site: "/api/admin/products", json=NEW),
    "put /api/admin/products/{product_id}": edit_product,
    "delete /api/admin/products/{product_id}": call("DELETE", product_path),
    "post /api/admin/products/import": call(
        "POST", lambda site: "/api/admin/products/import", files={"file": ("products.csv", sheet({}), "text/csv")}
    ),
    "post /api/admin/products/{product_id}/stock": call(
        "POST", lambda site: product_path(site, "/stock"), json={"change": -1, "note": "Broken jar"}
    ),
    "put /api/admin/products/{product_id}/image": call(
        "PUT", lambda site: product_path(site, "/image"), content=photo("PNG"), headers=PNG
    ),
    "put /api/admin/products/{product_id}/lab-report": call(
        "PUT", lambda site: product_path(site, "/lab-report"), json=REPORT
    ),
    "delete /api/admin/products/{product_id}/lab-report": call("DELETE", AdminSite.report),
    "put /api/admin/products/{product_id}/lab-report/pdf": call(
        "PUT", lambda site: f"{site.report()}/pdf", content=PDF, headers=PDF_TYPE
    ),
    "delete /api/admin/products/{product_id}/lab-report/pdf": call("DELETE", AdminSite.report_file),
    "put /api/admin/settings": call(
        "PUT", lambda site: "/api/admin/settings", json={"deliveryFee": "20", "reason": "Fuel is cheaper."}
    ),
    "put /api/admin/legal/{page}": call(
        "PUT", lambda site: "/api/admin/legal/terms", json={"body": "Adults only.", "version": 0}
    ),
    "post /api/admin/batches": receive,
    "put /api/admin/batches/{batch_id}": call("PUT", AdminSite.batch, json={"code": "B7"}),
    "post /api/admin/batches/{batch_id}/hold": call("POST", lambda site: f"{site.batch()}/hold", json=REASON),
    "post /api/admin/batches/{batch_id}/release": call(
        "POST", lambda site: f"{site.held_batch()}/release", json=REASON
    ),
    "post /api/admin/batches/{batch_id}/units": call(
        "POST", lambda site: f"{site.batch()}/units", json={"change": -1, "note": "Broken"}
    ),
    "post /api/admin/recalls": recall("recalls"),
    "post /api/admin/recalls/drill": recall("recalls/drill"),
    "post /api/admin/zones": call("POST", lambda site: ZONES, json=ZONE),
    "put /api/admin/zones/{zone_id}": call("PUT", AdminSite.zone, json=ZONE),
    "delete /api/admin/zones/{zone_id}": call("DELETE", AdminSite.zone),
    "post /api/admin/windows": lambda site: save_window(site, "POST", WINDOWS),
    "put /api/admin/windows/{window_id}": lambda site: save_window(site, "PUT", site.window()),
    "delete /api/admin/windows/{window_id}": call("DELETE", AdminSite.window),
    "post /api/admin/closures": call("POST", lambda site: "/api/admin/closures", json={"day": "2026-12-25"}),
    "delete /api/admin/closures/{day}": call("DELETE", AdminSite.closure),
    "post /api/admin/rules": call("POST", lambda site: "/api/admin/rules", json=VersionForm.EXAMPLE),
    "post /api/admin/rules/{version_id}/review": call(
        "POST", lambda site: f"{site.rules()}/review", json={"choices": {}}
    ),
    "post /api/admin/cash/movements": call(
        "POST", lambda site: site.cash_path("movements"), json={"kind": "drop", "amount": "40.00"}
    ),
    "post /api/admin/cash/counts": call(
        "POST", lambda site: "/api/admin/cash/counts", json={"account": "desk", "counted": "80.00", "note": "Opening"}
    ),
    "post /api/admin/shifts": open_shift,
    "post /api/admin/shifts/{shift_id}/counts": call(
        "POST", lambda site: f"{site.shift()}/counts", json={"pieces": {}}
    ),
    "post /api/admin/shifts/{shift_id}/close": call("POST", lambda site: f"{site.counted_shift()}/close", json={}),
    "post /api/admin/runs": lambda site: save_run(site, "POST", RUNS),
    "put /api/admin/runs/{run_id}": lambda site: save_run(site, "PUT", site.run()),
    "delete /api/admin/runs/{run_id}": call("DELETE", AdminSite.run),
    "post /api/admin/runs/{run_id}/stops": add_stop,
    "delete /api/admin/runs/{run_id}/stops/{stop_id}": call("DELETE", AdminSite.stop),
    "put /api/admin/runs/{run_id}/order": reorder,
    "post /api/admin/runs/{run_id}/depart": call("POST", lambda site: f"{site.run()}/depart"),
    "post /api/admin/runs/{run_id}/close": call("POST", lambda site: f"{site.finished_run()}/close"),
    "post /api/admin/runs/{run_id}/stops/{stop_id}/release": call(
        "POST", lambda site: f"{site.flagged_stop()}/release", json={"reason": "Called the customer"}
    ),
    "post /api/admin/runs/{run_id}/stops/{stop_id}/paper": call(
        "POST", lambda site: f"{site.stop(is_out=True)}/paper", json=NOT_HOME
    ),
    "post /api/admin/search/synonyms": call("POST", lambda site: SYNONYMS, json=SYNONYM),
    "put /api/admin/search/synonyms/{synonym_id}": call("PUT", lambda site: f"{SYNONYMS}/1", json=SYNONYM),
    "delete /api/admin/search/synonyms/{synonym_id}": call("DELETE", lambda site: f"{SYNONYMS}/1"),
}
NOT_ADMIN_ONLY = {"post /api/support/tickets/{ticket_id}/messages"}


def count(site: AdminSite) -> int:
    return int(site.ada.get("/api/admin/audit").headers["X-Total-Count"])


@pytest.fixture
def site(configure: Callable[..., None], tmp_path: Path, as_user: SignIn, session: Session, cast: Cast) -> AdminSite:
    configure(UPLOADS=str(tmp_path), RUN_SHEETS=str(tmp_path / "sheets"))
    fern = make_product(session, price_cents=120_00, stock=50)
    session.commit()
    return AdminSite(as_user(cast.ada), as_user(cast.alice), cast.bob, fern)


def test_every_admin_route_that_writes_is_listed() -> None:
    paths = openapi()["paths"]
    routes = {
        f"{method} {path}"
        for path, methods in paths.items()
        if path.startswith("/api/admin")
        for method in methods
        if method != "get"
    }
    unlisted, gone = routes - WRITES.keys(), WRITES.keys() - NOT_ADMIN_ONLY - routes
    assert not unlisted, (
        f"Say in WRITES of tests/api/admin/test_audited.py how to call these, each leaving an entry: {unlisted}"
    )
    assert not gone, f"Remove from WRITES of tests/api/admin/test_audited.py what is no longer a route: {gone}"


@pytest.mark.parametrize("route", WRITES)
def test_a_write_leaves_an_entry_in_words_by_whoever_did_it(site: AdminSite, cast: Cast, route: str) -> None:
    write = WRITES[route](site)
    before = count(site)
    answer = write()
    assert answer.is_success, answer.text
    listed = site.ada.get("/api/admin/audit", params={"limit": 100})
    new = listed.json()[: int(listed.headers["X-Total-Count"]) - before]
    assert new, "nothing was audited"
    for entry in new:
        assert entry["actorId"] == cast.ada.id
        assert entry["words"].startswith("Ada ")
        assert f"did {entry['action']}" not in entry["words"]  # what an action missing from ACTIONS reads as
    assert site.ada.get("/api/admin/audit/chain").json()["isWhole"] is True


@pytest.mark.parametrize("route", ["put /api/admin/orders/{order_id}", "put /api/admin/settings"])
def test_a_refused_write_leaves_no_audit_entry(site: AdminSite, route: str) -> None:
    write = WRITES[route](AdminSite(site.alice, site.alice, site.bob, site.fern))
    before = count(site)
    assert write().status_code == 403
    assert count(site) == before
