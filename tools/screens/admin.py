"""The owner's scenes, in a store with a year of orders."""

import os
import subprocess
import sys
from uuid import uuid4

from playwright.sync_api import expect

from marketplace_app import clock
from marketplace_app.config import get_settings
from tests.e2e.conftest import ROOT, Store
from tools.screens.camera import Camera

SIZE = {"products": 40, "users": 60, "orders": 400}


def fill(store: Store) -> None:
    """A year of customers and orders."""
    sizes = [word for name, count in SIZE.items() for word in (f"--{name}", str(count))]
    subprocess.run(
        [sys.executable, "-m", "marketplace_app", "seed", "--scale", *sizes],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": store.database_url, "PYTHONWARNINGS": "ignore"},
        check=True,
        capture_output=True,
    )


def overview(camera: Camera) -> None:
    camera.page.goto("/admin")
    expect(camera.page.get_by_role("list", name="Recent orders")).to_be_visible()
    camera.take("admin-overview")


def admin_lists(camera: Camera) -> None:
    for address, table in (
        ("/admin?tab=orders", "Orders"),
        ("/admin?tab=users", "Users"),
        ("/admin/products", "Products"),
    ):
        camera.page.goto(address)
        expect(camera.page.get_by_role("table", name=table, exact=True)).to_be_visible()
        camera.take(f"admin-{table.lower()}")
    camera.page.goto("/admin?tab=orders&q=zzzz")
    expect(camera.page.get_by_text("No orders match.")).to_be_visible()
    camera.take("admin-orders-none")


def admin_tickets_and_invitations(camera: Camera) -> None:
    for subject in ("Driver could not find the side entrance", "How long does a quarter keep?"):
        body = {"subject": subject, "message": "He called twice and drove off. Can he come back today?"}
        camera.page.request.post("/api/support/tickets", data=body, headers={"Origin": camera.store.url})
    invited = {"email": "friend@example.org", "firstName": "Mary", "lastName": "Quill"}
    camera.page.request.post("/api/admin/invitations/send", data=invited, headers={"Origin": camera.store.url})
    camera.page.goto("/admin?tab=support")
    expect(camera.page.get_by_role("link", name="Open Support Tickets")).to_be_visible()
    camera.take("admin-support-tab")
    camera.page.goto("/support")
    expect(camera.page.get_by_text("side entrance").first).to_be_visible()
    camera.take("admin-support")
    for address, name in (("/admin?tab=invitations", "admin-invitations"), ("/admin/invitations", "admin-invite")):
        camera.page.goto(address)
        expect(camera.page.get_by_text("friend@example.org").first).to_be_visible()
        camera.take(name)


def admin_order(camera: Camera) -> None:
    order = camera.page.request.get("/api/admin/orders?limit=1").json()[0]
    camera.page.goto(f"/admin/orders/{order['id']}")
    expect(camera.page.get_by_role("link", name="Packing Slip")).to_be_visible()
    camera.take("admin-order")
    camera.page.get_by_role("link", name="Packing Slip").click()
    expect(camera.page.get_by_role("heading", name="Packing slip")).to_be_visible()
    camera.take("admin-slip")
    person = camera.page.request.get(f"/api/admin/users?q={order['customerEmail']}").json()[0]
    camera.page.goto(f"/admin/users/{person['id']}")
    expect(camera.page.get_by_role("heading", level=1)).to_be_visible()
    expect(camera.page.get_by_text("Credit statement", exact=True)).to_be_visible()
    camera.take("admin-person")


def admin_run(camera: Camera) -> None:
    """Every delivery fails and the run is closed at the end, so that each browser window shows the same orders."""
    page, origin = camera.page, {"Origin": camera.store.url}
    me = page.request.get("/api/auth/user").json()["id"]
    pending = page.request.get("/api/admin/orders?status=pending&status=confirmed&limit=2").json()
    today = clock.today(get_settings().timezone)
    planned = {"day": today.isoformat(), "driverId": me, "orderIds": [order["id"] for order in pending]}
    run = page.request.post("/api/admin/runs", data=planned, headers=origin).json()
    page.goto(f"/admin/runs/{run['id']}/sheet")
    expect(page.get_by_role("list", name="Stops")).to_be_visible()
    camera.take("admin-run-sheet")
    page.request.post(f"/api/admin/runs/{run['id']}/depart", headers=origin)
    page.goto(f"/admin/runs/{run['id']}")
    page.get_by_role("button", name="Enter from Paper").click()
    form = page.get_by_role("form", name="From paper")
    expect(form.get_by_label("Cash counted")).to_be_visible()
    camera.take("admin-run-paper", whole=False)
    for _ in run["stops"]:
        form.get_by_label("What happened").select_option("failed")
        form.get_by_label("Why").select_option("not_home")
        title = page.get_by_role("dialog").get_by_role("heading").inner_text()
        form.get_by_role("button", name="Save and Next").click()
        expect(page.get_by_role("heading", name=title)).to_be_hidden()
    expect(page.get_by_text("Couldn't deliver: Not home")).to_have_count(len(run["stops"]))
    camera.take("admin-run")
    page.request.post(f"/api/admin/runs/{run['id']}/close", headers=origin)


def _sell_batch(camera: Camera) -> tuple[str, str]:
    """A batch with one order, of a product of its own; returns the product's name and the order's id."""
    page, origin = camera.page, {"Origin": camera.store.url}
    facts = {"description": "Hay and chamomile.", "price": "120.00", "category": "THC Flower", "type": "Indica"}
    new = facts | {"name": f"Meadow {uuid4().hex[:6]}", "potency": "", "stock": 0}
    product = page.request.post("/api/admin/products", data=new, headers=origin).json()
    received = {"productId": product["id"], "code": "MD-2611", "units": 9}
    page.request.post("/api/admin/batches", data=received, headers=origin)
    page.request.post("/api/verify-age", data={"dateOfBirth": "1990-04-17"}, headers=origin)
    draft = {"items": [{"productId": product["id"], "quantity": 2}], "contactPhone": "503 555 0142"}
    place = {"deliveryAddress": "214 Larch Street, Portland, OR 97201"}
    notes = {"deliveryInstructions": "The green door.", "paymentInstructions": "Under the mat."}
    order = page.request.post("/api/orders", data=draft | place | notes, headers=origin).json()
    return product["name"], order["id"]


def admin_recalls(camera: Camera) -> None:
    page = camera.page
    product, order = _sell_batch(camera)
    for name in ("Drill", "Recall a Batch"):
        page.goto("/admin/recalls")
        page.get_by_role("button", name=name, exact=True).click()
        page.get_by_label("Product or batch").fill(product)
        page.get_by_role("button", name="Find Batches").click()
        form = page.get_by_role("form", name="Batch")
        form.get_by_label("Batch").select_option(f"{product}, batch MD-2611: 7 units")
        if name == "Drill":
            form.get_by_role("button", name="Start Drill").click()
            expect(page.get_by_role("region", name="Drill", exact=True)).to_be_visible()
            camera.take("admin-recall-drill")
    form.get_by_label("Reason").fill("The laboratory found mould")
    camera.take("admin-recall-form", whole=False)
    form.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Recall Batch")).to_be_visible()
    camera.take("admin-recall-question", whole=False)
    page.get_by_role("button", name="Recall Batch").click()
    expect(page.get_by_role("list", name="Do not hand over")).to_be_visible()
    camera.take("admin-recall")
    for address, name in (("/admin/orders", "admin-order-recalled"), ("/orders", "order-recalled")):
        page.goto(f"{address}/{order}")
        expect(page.get_by_role("region", name="Recall")).to_be_visible()
        camera.take(name)
    page.request.post(f"/api/orders/{order}/cancel", headers={"Origin": camera.store.url})


def admin_product(camera: Camera) -> None:
    for address, name in (("/admin/products/1", "admin-product"), ("/admin/products/new", "admin-product-new")):
        camera.page.goto(address)
        expect(camera.page.get_by_label("Name", exact=True)).to_be_visible()
        camera.take(name)
    _batches(camera)
    camera.page.goto("/admin/products/import")
    expect(camera.page.get_by_role("heading", level=1)).to_be_visible()
    camera.take("admin-import")
    choose = camera.page.get_by_label("Choose a CSV file")
    for name, price in (("admin-import-changes", "51.50"), ("admin-import-mistakes", "cheap")):
        lines = f"sku,price,effects\nFLW-0001,{price},Calm|Happy\nFLW-0002,44.00,Rested\n"
        choose.set_input_files({"name": "prices.csv", "mimeType": "text/csv", "buffer": lines.encode()})
        found = "Changes" if price != "cheap" else "Mistakes"
        expect(camera.page.get_by_role("table", name=found)).to_be_visible()
        camera.take(name)


def _batches(camera: Camera) -> None:
    facts = {"expiresOn": "2027-05-02", "thcPercent": 22.4, "unitCost": "18.50"}
    body = {"productId": 2, "code": "FH-2611", "units": 48, **facts}
    # Refused in every browser window but the first, which has received this batch.
    camera.page.request.post("/api/admin/batches", data=body, headers={"Origin": camera.store.url})
    camera.page.goto("/admin/products/2")
    expect(camera.page.get_by_role("table", name="Batches")).to_be_visible()
    camera.take("admin-product-batches")
    camera.page.get_by_role("button", name="Edit FH-2611").click()
    expect(camera.page.get_by_role("form", name="Batch", exact=True)).to_be_visible()
    camera.take("admin-batch-form", whole=False)


def admin_settings_and_audit(camera: Camera) -> None:
    camera.page.goto("/admin/settings")
    expect(camera.page.get_by_role("form", name="Shop settings")).to_be_visible()
    camera.take("admin-settings")
    camera.page.goto("/admin/delivery")
    expect(camera.page.get_by_text("No zones yet.")).to_be_visible()
    camera.take("admin-delivery-none")
    camera.page.get_by_role("button", name="Add Zone").click()
    zone = camera.page.get_by_role("form", name="Zone")
    zone.get_by_label("Zone", exact=True).fill("East side")
    zone.get_by_label("Fee, $").fill("12")
    zone.get_by_label("ZIP codes").fill("97201 97202 97203")
    camera.take("admin-delivery-zone")
    zone.get_by_role("button", name="Add Zone").click()
    camera.page.get_by_role("button", name="Add Window").click()
    window = camera.page.get_by_role("form", name="Window")
    window.get_by_label("Friday").check()
    window.get_by_label("Opens").fill("17:00")
    window.get_by_label("Closes").fill("19:00")
    camera.take("admin-delivery-window")
    window.get_by_role("button", name="Add Window").click()
    expect(camera.page.get_by_text("East side, 17:00 to 19:00")).to_be_visible()
    camera.take("admin-delivery")
    camera.page.get_by_role("button", name="Remove East side", exact=True).click()
    camera.page.get_by_role("button", name="Remove Zone").click()
    expect(camera.page.get_by_text("No zones yet.")).to_be_visible()
    camera.page.goto("/admin/dispatch")
    expect(camera.page.get_by_text("No run is planned.")).to_be_visible()
    camera.take("admin-dispatch")
    camera.page.goto("/admin/search")
    expect(camera.page.get_by_role("table", name="Synonyms")).to_be_visible()
    camera.take("admin-search")
    camera.page.goto("/admin/audit")
    expect(camera.page.get_by_role("table")).to_be_visible()
    camera.take("admin-audit")
    camera.page.goto("/admin/health")
    expect(camera.page.get_by_role("table", name="Parts of the store")).to_be_visible()
    camera.take("admin-health")


def admin_legal_and_cash(camera: Camera) -> None:
    page = camera.page
    text, title = page.get_by_label("Text", exact=True), page.get_by_role("heading", name="Cash", level=1)
    for name, loaded in (("legal", text), ("cash", title)):
        page.goto(f"/admin/{name}")
        expect(loaded).to_be_visible()
        camera.take(f"admin-{name}")


def admin_rules(camera: Camera) -> None:
    """Versions stay, so each browser window also shows those that were made in earlier ones."""
    page = camera.page
    page.goto("/admin/rules")
    expect(page.get_by_role("button", name="Add Draft")).to_be_visible()
    camera.take("admin-rules-list")
    page.get_by_role("button", name="Add Draft").click()
    draft = page.get_by_role("form", name="Draft")
    camera.take("admin-rules-draft", whole=False)
    draft.get_by_role("button", name="Add Draft").click()
    expect(page.get_by_text("At most $10,000.00")).to_be_visible()
    camera.take("admin-rules-lines")
    page.get_by_role("button", name="Mark as Reviewed").click()
    expect(page.get_by_text("Choose a value first")).to_be_visible()
    camera.take("admin-rules-missing")
    for group in page.get_by_role("radiogroup").all():
        group.get_by_role("radio").first.click()
        expect(group.get_by_role("radio").first).to_be_checked()
    page.get_by_role("button", name="Mark as Reviewed").click()
    asked = page.get_by_role("dialog", name="Mark as reviewed?")
    expect(asked).to_be_visible()
    camera.take("admin-rules-question", whole=False)
    asked.get_by_role("button", name="Mark as Reviewed").click()
    expect(page.get_by_text("In force")).to_be_visible()
    camera.take("admin-rules")
    page.get_by_role("button", name="New Version").click()
    expect(page.get_by_role("form", name="New version")).to_be_visible()
    camera.take("admin-rules-copy", whole=False)


ADMIN = (
    overview,
    admin_lists,
    admin_tickets_and_invitations,
    admin_order,
    admin_run,
    admin_product,
    admin_settings_and_audit,
    admin_legal_and_cash,
    admin_rules,
    admin_recalls,
)
