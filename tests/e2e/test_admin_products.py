"""The admin pages of products: the list, the editor with stock, picture and lab report, and the import."""

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Dialog, FilePayload, Locator, Page, Route, expect
from sqlalchemy import text

from marketplace_app import db
from tests.e2e.acts import (
    OWNER,
    SocketProxy,
    create_product,
    horizontal_overflow,
    new_email,
    run_sql,
    sign_in_as_adult,
    sign_in_by_request,
    toast,
    wait_for_requests,
    wait_until,
)
from tests.e2e.conftest import BOTH_SIZES, Api, Store
from tests.e2e.state_rules import add_rules, enforced, sourced
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]

PDF = b"%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"


def picture(kind: str = "JPEG") -> FilePayload:
    file = BytesIO()
    Image.effect_noise((1200, 1500), 80).convert("RGB").save(file, kind)
    return {"name": f"meadow.{kind.lower()}", "mimeType": f"image/{kind.lower()}", "buffer": file.getvalue()}


def table(lines: str) -> FilePayload:
    return {"name": "products.csv", "mimeType": "text/csv", "buffer": lines.encode()}


@contextmanager
def nobody_may_write(store: Store, sku: str) -> Iterator[None]:
    """Whoever would change this product waits; on SQLite, whoever would write anything."""
    engine = db.make_engine(store.database_url)
    with engine.connect() as connection:
        connection.execute(text("UPDATE products SET stock = stock WHERE sku = :sku"), {"sku": sku})
        try:
            yield
        finally:
            connection.rollback()
    engine.dispose()


def open_list(page: Page, query: str = "") -> Locator:
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/products{query}")
    return rows(page)


def rows(page: Page) -> Locator:
    return page.get_by_role("table", name="Products").get_by_role("row").filter(has=page.get_by_role("link"))


def open_editor(page: Page, path: str) -> None:
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/products/{path}")
    expect(page.get_by_label("Name", exact=True)).to_be_visible()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save product").click()


def test_a_product_with_picture_and_lab_report_is_sold(page: Page, new_page: Callable[..., Page]) -> None:
    name = f"Meadow {uuid.uuid4().hex[:8]}"
    open_editor(page, "new")
    expect(page.get_by_text("Save the product first, then add its picture.")).to_be_visible()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Description").fill("Hay and chamomile.")
    page.get_by_label("Price").fill("48.50")
    page.get_by_label("Category").select_option("Edibles")
    page.get_by_label("THC %", exact=True).fill("22.5")
    page.get_by_label("Stock", exact=True).fill("12")
    page.get_by_role("checkbox", name="Calm").check()
    save(page)
    expect(toast(page)).to_contain_text("Product saved")
    expect(page).to_have_url(re.compile(r"/admin/products/\d+$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
    expect(page.get_by_role("radio", name="Medium THC (20-25%)")).to_be_checked()
    page.get_by_label("Choose a picture").set_input_files(picture())
    expect(toast(page)).to_contain_text("Picture saved")
    expect(page.get_by_role("img", name=name)).to_have_attribute(
        "src", re.compile(r"^/uploads/pictures/\w+-640\.webp$")
    )
    report = page.get_by_role("form", name="Lab report")
    report.get_by_label("Lot").fill("7789")
    report.get_by_label("Date").fill("2026-09-06")
    report.get_by_role("button", name="Save Report").click()
    expect(toast(page)).to_contain_text("Lab report saved")
    page.get_by_label("Choose the PDF").set_input_files(
        {"name": "lab.pdf", "mimeType": "application/pdf", "buffer": PDF}
    )
    expect(page.get_by_role("link", name="Lab report (PDF)")).to_be_visible()
    number = page.url.rpartition("/")[2]
    shopper = new_page()
    sign_in_as_adult(shopper, new_email(), to=f"/product/{number}")
    expect(shopper.get_by_role("heading", name=name, level=1)).to_be_visible()
    photo = shopper.get_by_role("img", name=name)
    assert photo.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    shopper.get_by_role("tab", name="Lab Results").click()
    with shopper.expect_download() as saved:
        shopper.get_by_role("link", name="Lab report (PDF)").click()
    assert saved.value.path().read_bytes() == PDF


def test_changes_are_marked_until_they_are_saved_or_discarded(page: Page, api: Api) -> None:
    made = create_product(api)
    open_editor(page, str(made["id"]))
    mark, name = page.get_by_text("Unsaved changes"), page.get_by_label("Name", exact=True)
    expect(mark).to_be_hidden()
    name.fill("Something else")
    expect(mark).to_be_visible()
    page.get_by_role("button", name="Discard").click()
    expect(mark).to_be_hidden()
    expect(name).to_have_value(made["name"])
    page.get_by_role("checkbox", name="Featured").check()
    expect(mark).to_be_visible()
    save(page)
    expect(toast(page)).to_contain_text("Product saved")
    expect(mark).to_be_hidden()
    now = api(OWNER).get(f"/api/admin/products/{made['id']}").json()
    assert now == made | {"featured": True, "updatedAt": now["updatedAt"]}


def test_saving_a_product_keeps_what_is_typed_in_the_other_forms_and_the_focus(page: Page, api: Api) -> None:
    open_editor(page, str(create_product(api)["id"]))
    lot = page.get_by_role("form", name="Lab report").get_by_label("Lot")
    reason = page.get_by_role("form", name="Adjust stock").get_by_label("Reason")
    lot.fill("7789")
    reason.fill("Broken jars")
    expect(page.get_by_text("Unsaved changes")).to_be_hidden()
    page.get_by_label("Price").fill("51")
    save(page)
    expect(page.get_by_label("Price")).to_have_value("51.00")
    expect(lot).to_have_value("7789")
    expect(reason).to_have_value("Broken jars")
    expect(page.get_by_role("button", name="Save product")).to_be_focused()


def test_leaving_unsaved_changes_asks_for_confirmation(page: Page, api: Api) -> None:
    made = create_product(api)
    open_editor(page, str(made["id"]))
    answers, dialogs = iter([False, True]), []

    def answer(dialog: Dialog) -> None:
        dialogs.append((dialog.type, dialog.message))
        dialog.accept() if dialog.type == "beforeunload" or next(answers) else dialog.dismiss()

    page.on("dialog", answer)
    name, leave = page.get_by_label("Name", exact=True), page.get_by_role("link", name="Audit", exact=True).first
    marked_form = page.locator("[data-changed][data-leave]")
    name.click()  # browsers ask before leaving only after a gesture on the page
    name.fill("Something else")
    expect(marked_form).to_have_count(1)
    page.reload()
    expect(name).to_have_value(made["name"])
    name.fill("Something else")
    expect(marked_form).to_have_count(1)
    leave.click()
    expect(name).to_have_value("Something else")
    leave.click()
    page.wait_for_url("**/admin/audit")
    question = "Leave without saving? What you changed here will be lost."
    assert dialogs == [("beforeunload", ""), ("confirm", question), ("confirm", question)]


def test_going_back_from_unsaved_changes_asks_for_confirmation(page: Page, api: Api) -> None:
    sign_in_by_request(page, OWNER)
    made = create_product(api)
    page.goto(f"/admin/products?q={made['sku']}")
    page.get_by_role("main").get_by_role("link", name=made["name"]).first.click()
    name = page.get_by_label("Name", exact=True)
    expect(name).to_have_value(made["name"])
    name.fill("Something else")
    answers, questions = iter([False, False, True]), []

    def answer(dialog: Dialog) -> None:
        questions.append(dialog.type)
        dialog.accept() if next(answers) else dialog.dismiss()

    page.on("dialog", answer)
    for number in (1, 2):
        with page.expect_event("dialog"):
            page.evaluate("() => history.back()")
        wait_until(page, f"location.pathname === '/admin/products/{made['id']}'")
        expect(name).to_have_value("Something else")
        assert questions == ["confirm"] * number
    page.evaluate("() => history.back()")
    expect(page.get_by_role("heading", name="Products", level=1)).to_be_visible()
    page.go_forward()
    expect(name).to_have_value(made["name"])
    assert len(questions) == 3


def test_a_reconnect_keeps_what_was_typed(page: Page, api: Api, store: Store) -> None:
    socket, made = SocketProxy(page), create_product(api)
    open_editor(page, str(made["id"]))
    name = page.get_by_label("Name", exact=True)
    name.fill("Something else")
    with page.expect_websocket():
        socket.cut()
    wait_for_requests(page)
    expect(name).to_have_value("Something else")
    save(page)
    expect(toast(page)).to_contain_text("Product saved")
    assert api(OWNER).get(f"/api/admin/products/{made['id']}").json()["name"] == "Something else"
    page.goto("/admin/products")
    run_sql(store, "UPDATE products SET price_cents = 6100 WHERE id = :id", id=made["id"])
    page.goto(f"/admin/products/{made['id']}")
    expect(page.get_by_label("Price")).to_have_value("61.00")


def test_errors_are_beside_their_fields_and_typed_values_stay(page: Page, api: Api) -> None:
    other = create_product(api)
    open_editor(page, str(create_product(api)["id"]))
    page.get_by_label("Price").fill("cheap")
    page.get_by_label("Stock", exact=True).fill("-2")
    save(page)
    expect(page.get_by_label("Price")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#stock-error")).to_contain_text("Stock must be a whole number between 0")
    expect(page.get_by_label("Price")).to_have_value("cheap")
    page.get_by_label("Price").fill("50.00")
    page.get_by_label("Stock", exact=True).fill("3")
    page.get_by_label("SKU", exact=True).fill(other["sku"])
    save(page)
    expect(page.locator("#sku-error")).to_have_text("Another product has this SKU.")
    expect(page.locator("#price-error")).to_be_hidden()


def test_somebody_elses_changes_are_not_overwritten(page: Page, api: Api) -> None:
    made = create_product(api)
    open_editor(page, str(made["id"]))
    page.get_by_label("Price").fill("51.00")
    wanted = ("name", "description", "category", "type", "potency", "stock")
    body = {name: made[name] for name in wanted} | {"price": "60.00"}
    api(OWNER).put(f"/api/admin/products/{made['id']}", json=body).raise_for_status()
    expect(page.get_by_role("alert").filter(has_text="Someone else has saved this product")).to_be_visible()
    save(page)
    expect(toast(page)).to_contain_text("Someone else has saved this product in the meantime.")
    page.get_by_role("button", name="Show what was saved").click()
    expect(page.get_by_label("Price")).to_have_value("60.00")


def test_stock_is_adjusted_with_a_reason_and_sales_meanwhile_count(page: Page, api: Api, store: Store) -> None:
    made = create_product(api)
    open_editor(page, str(made["id"]))
    adjust = page.get_by_role("form", name="Adjust stock")
    adjust.get_by_role("button", name="Adjust Stock").click()
    expect(page.locator("#note-error")).to_have_text("A reason of 1 to 200 characters is required.")
    adjust.get_by_label("Change").fill("-2")
    adjust.get_by_label("Reason").fill("Broken jars")
    adjust.get_by_role("button", name="Adjust Stock").click()
    expect(toast(page)).to_contain_text("Stock adjusted")
    ledger = page.get_by_role("table", name="Stock movements").get_by_role("row")
    expect(ledger.nth(1)).to_contain_text("Broken jars")
    expect(ledger.nth(1)).to_contain_text("−2")
    run_sql(store, "UPDATE products SET stock = stock - 4 WHERE id = :id", id=made["id"])
    page.get_by_label("Price").fill("51.00")
    save(page)
    expect(toast(page)).to_contain_text("Product saved")
    assert api(OWNER).get(f"/api/admin/products/{made['id']}").json()["stock"] == 6
    adjust.get_by_label("Change").fill("-7")
    adjust.get_by_label("Reason").fill("More than there are")
    adjust.get_by_role("button", name="Adjust Stock").click()
    expect(toast(page)).to_contain_text("Only 6 of")


def test_an_invalid_picture_is_refused_with_a_sentence(page: Page, api: Api) -> None:
    open_editor(page, str(create_product(api)["id"]))
    drawing: FilePayload = {"name": "x.png", "mimeType": "image/png", "buffer": b"<svg><script>alert(1)</script></svg>"}
    page.get_by_label("Choose a picture").set_input_files(drawing)
    expect(toast(page)).to_contain_text("Failed to save picture")
    expect(toast(page)).to_contain_text("Please choose a picture: JPEG, PNG, WebP or AVIF.")
    heavy: FilePayload = {"name": "x.jpg", "mimeType": "image/jpeg", "buffer": bytes(6 * 1024 * 1024)}
    page.get_by_label("Choose a picture").set_input_files(heavy)
    expect(toast(page)).to_contain_text("A file may be at most 5 MB.")


def test_an_upload_shows_progress_and_can_be_cancelled(page: Page, api: Api) -> None:
    made = create_product(api)
    open_editor(page, str(made["id"]))
    held: list[Route] = []
    page.route("**/image", lambda route: held.append(route))
    page.get_by_label("Choose a picture").set_input_files(picture())
    expect(page.get_by_role("status").filter(has_text=re.compile(r"%|Saving"))).to_be_visible()
    page.get_by_role("button", name="Cancel upload").first.click()
    expect(page.get_by_role("button", name="Cancel upload")).to_have_count(0)
    assert api(OWNER).get(f"/api/admin/products/{made['id']}").json()["imageUrl"].startswith("/packages/")


def test_a_file_with_mistakes_is_explained_then_fixed_and_applied(page: Page, api: Api) -> None:
    one, two = create_product(api), create_product(api)
    sku = f"NEW-{uuid.uuid4().hex[:8]}"
    columns = "sku,name,description,price,category,type,potency,stock\n"
    lines = [f"{one['sku']},{one['name']},Changed,{one['price']},THC Flower,Indica,,12\n"]
    lines += [f"{two['sku']},{two['name']},{two['description']},{two['price']},THC Flower,Indica,,12\n"]
    open_list(page)
    page.get_by_role("link", name="Import CSV").click()
    choose = page.get_by_label("Choose a CSV file")
    choose.set_input_files(table(columns + "".join(lines) + f"{sku},New,Fresh,cheap,Seeds,Indica,,1\n"))
    expect(page.get_by_role("alert").filter(has_text="Nothing was written")).to_be_visible()
    assert choose.evaluate("input => input.files.length") == 0, "the same file could not be chosen again"
    bad = page.get_by_role("table", name="Mistakes").get_by_role("row")
    expect(bad).to_have_count(3)
    expect(bad.filter(has_text="category")).to_contain_text('"Seeds" is not a category.')
    expect(bad.filter(has_text="price")).to_contain_text('"cheap" is not a price. Write one such as 49.00.')
    expect(page.get_by_role("button", name="Apply")).to_have_count(0)
    choose.set_input_files(table(columns + "".join(lines) + f"{sku},New,Fresh,9.99,THC Flower,Indica,,1\n"))
    changes = page.get_by_role("table", name="Changes").get_by_role("row")
    expect(changes).to_have_count(3)
    expect(changes.nth(1).get_by_role("cell")).to_have_text(
        ["2", one["sku"], "description", one["description"], "Changed"]
    )
    expect(changes.nth(2).get_by_role("cell")).to_have_text(["4", sku, "New product", "", "New"])
    page.get_by_role("button", name="Apply: 1 new, 1 changed").click()
    expect(toast(page)).to_contain_text("Products imported")
    expect(page.get_by_text("Every line was imported.")).to_be_visible()
    found = api(OWNER).get("/api/admin/products", params={"q": sku}).json()
    assert [(each["name"], each["stock"]) for each in found] == [("New", 1)]
    assert api(OWNER).get(f"/api/admin/products/{one['id']}").json()["description"] == "Changed"


def test_the_file_whose_report_is_shown_is_applied_while_another_is_checked(page: Page, api: Api) -> None:
    sku, check = create_product(api)["sku"], "**/import?dryRun=true"
    sign_in_by_request(page, OWNER)
    page.goto("/admin/products/import")
    choose, apply = page.get_by_label("Choose a CSV file"), page.get_by_role("button", name="Apply: 0 new, 1 changed")
    choose.set_input_files(table(f"sku,description\n{sku},First\n"))
    expect(apply).to_be_visible()
    page.route(check, lambda _route: None)
    with page.expect_request(check):
        choose.set_input_files(table(f"sku,description\n{sku},Second\n"))
    apply.click()
    expect(toast(page)).to_contain_text("Products imported")
    (found,) = api(OWNER).get("/api/admin/products", params={"q": sku}).json()
    assert found["description"] == "First"


def test_an_import_that_is_being_written_is_neither_stopped_nor_overtaken(page: Page, api: Api, store: Store) -> None:
    sku = create_product(api)["sku"]
    sign_in_by_request(page, OWNER)
    page.goto("/admin/products/import")
    choose, apply = page.get_by_label("Choose a CSV file"), page.get_by_role("button", name="Apply: 0 new, 1 changed")
    choose.set_input_files(table(f"sku,description\n{sku},First\n"))
    expect(apply).to_be_visible()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if "/import?" in request.url else None)
    with nobody_may_write(store, sku):
        apply.click()
        expect(page.get_by_role("progressbar", name="Upload progress")).to_be_visible()
        expect(page.get_by_role("button", name="Cancel upload")).to_have_count(0)
        apply.click()
        choose.set_input_files(table(f"sku,description\n{sku},Second\n"))
        expect(toast(page)).to_contain_text("can no longer be stopped")
        assert [url.rpartition("=")[2] for url in sent] == ["false"]
    expect(page.get_by_text("Every line was imported.")).to_be_visible()
    (found,) = api(OWNER).get("/api/admin/products", params={"q": sku}).json()
    assert found["description"] == "First"


def test_search_filters_and_sorting_are_in_the_url(page: Page, api: Api) -> None:
    low, rich = create_product(api, stock=3), create_product(api, category="Edibles", price="200.00")
    shown = open_list(page)
    page.get_by_role("searchbox", name="Search products").fill(low["name"])
    expect(page).to_have_url(re.compile(r"q=Meadow"))
    expect(shown).to_have_count(1)
    expect(shown.first).to_contain_text("low")
    page.get_by_role("heading", level=1).click()  # a focused field keeps its text
    page.go_back()
    expect(page.get_by_role("searchbox", name="Search products")).to_have_value("")
    page.get_by_role("button", name=re.compile("^Low stock")).click()
    expect(page).to_have_url(re.compile("show=low"))
    page.get_by_label("Category").select_option("Edibles")
    expect(page).to_have_url(re.compile("category=Edibles"))
    page.get_by_role("button", name="Clear").click()
    expect(page).to_have_url(re.compile("/admin/products$"))
    page.get_by_role("button", name="Price").click()
    expect(page).to_have_url(re.compile("sort=price"))
    page.get_by_role("button", name="Price").click()
    expect(page).to_have_url(re.compile("order=desc"))
    expect(page.get_by_role("columnheader", name="Price")).to_have_attribute("aria-sort", "descending")
    page.goto(f"/admin/products?q={rich['sku']}")
    expect(shown).to_have_count(1)
    page.goto("/admin/products?sort=nonsense&page=-4")
    expect(shown.first).to_be_visible()


def test_a_product_is_archived_after_a_confirmation(page: Page, api: Api) -> None:
    made = create_product(api)
    shown = open_list(page, f"?q={made['sku']}")
    shown.first.get_by_role("button", name=f"Archive {made['name']}").click()
    question = page.get_by_role("dialog", name="Archive this product?")
    expect(question).to_contain_text(made["name"])
    question.get_by_role("button", name="Archive Product").click()
    expect(toast(page)).to_contain_text("Product archived")
    expect(shown.first).to_contain_text("Archived")
    assert api(OWNER).get(f"/api/products/{made['id']}").status_code == 404


def test_a_viewer_has_no_controls_for_changes(page: Page, api: Api, store: Store) -> None:
    made, viewer = create_product(api), new_email()
    api(viewer)
    run_sql(
        store, "UPDATE users SET role = 'viewer', granted_role = 'viewer' WHERE verified_email = :email", email=viewer
    )
    sign_in_by_request(page, viewer)
    page.goto(f"/admin/products?q={made['sku']}")
    expect(rows(page)).to_have_count(1)
    for name in ("New product", "Import CSV"):
        expect(page.get_by_role("link", name=name)).to_have_count(0)
    page.goto(f"/admin/products/{made['id']}")
    expect(page.get_by_label("Name", exact=True)).to_have_value(made["name"])
    for name in ("Save product", "Adjust Stock", "Save Report"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.get_by_label("Choose a picture")).to_have_count(0)


def test_an_unknown_product_is_reported(page: Page) -> None:
    sign_in_by_request(page, OWNER)
    for number in ("999999999", "abc", "99999999999"):
        page.goto(f"/admin/products/{number}")
        expect(page.get_by_text("Product not found.")).to_be_visible()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_pages_are_accessible_and_fit(new_page: Callable[..., Page], api: Api, size: tuple[int, int]) -> None:
    made = create_product(api, stock=2)
    page = new_page(size)
    open_list(page, f"?q={made['sku']}")
    for path in ("?q=" + made["sku"], f"/{made['id']}", "/new", "/import"):
        page.goto(f"/admin/products{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("heading", level=1)).not_to_have_text("Product")
        expect_accessible(page, f"/admin/products{path} {size}")


@pytest.fixture
def limits_enforced(store: Store) -> Iterator[None]:
    """A limit in one state counts edibles by their weight."""
    counts = [{"category": "Edibles", "measure": "weight"}]
    add_rules(
        store, "WY", buckets=[{"code": "edibles", "label": "Edibles", "days": 1, "limit": sourced(1), "counts": counts}]
    )
    with enforced(store):
        yield


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_products_that_limits_cannot_count_are_named_while_rules_are_enforced(
    new_page: Callable[..., Page], api: Api, limits_enforced: None, size: tuple[int, int]
) -> None:
    made = create_product(api, name=f"!Aardvark {uuid.uuid4().hex[:8]}", category="Edibles", netWeightGrams=None)
    page = new_page(size)
    open_list(page)
    expect(page.get_by_text("without weight or THC: cannot be sold while limits are enforced.")).to_be_visible()
    assert horizontal_overflow(page) == 0
    expect_accessible(page, "products that limits cannot count")
    page.get_by_role("listitem").get_by_role("link", name=made["name"]).click()
    page.get_by_label(re.compile("^Net weight")).fill("3.5")
    save(page)
    expect(toast(page)).to_contain_text("Product saved")
    page.goto("/admin/products")
    expect(rows(page).first).to_be_visible()
    expect(page.get_by_role("listitem").get_by_role("link", name=made["name"])).to_have_count(0)
