"""The account: profile, orders, one order, referrals, settings (RULE account-page)."""

import json
import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from marketplace_app.messages import PAGE_FAILED
from tests.builders import draft
from tests.e2e.acts import OWNER, new_email, run_sql, sign_in_as_adult, toast
from tests.e2e.conftest import PHONE, Api, Store

pytestmark = pytest.mark.browser


@pytest.fixture
def adult_api(api: Api) -> Api:
    """Like `api`, but each user has passed the age check."""

    def sign_in(email: str) -> httpx.Client:
        client = api(email)
        client.post("/api/verify-age", json={"dateOfBirth": "1990-01-01"}).raise_for_status()
        return client

    return sign_in


def place_order(client: httpx.Client) -> dict[str, str]:
    answer = client.post("/api/orders", json=draft(items=[{"productId": 1, "quantity": 3}]))
    answer.raise_for_status()
    placed: dict[str, str] = answer.json()
    return placed


def panel(page: Page, name: str) -> Locator:
    return page.get_by_role("tabpanel", name=name)


def line_count(text: Locator) -> int:
    """The number of lines that the text takes."""
    return int(
        text.evaluate("""(element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return new Set([...range.getClientRects()].map((part) => Math.round(part.top))).size;
        }""")
    )


def fact(container: Locator, term: str) -> Locator:
    return container.get_by_role("term").filter(has_text=re.compile(f"^{term}$")).locator("xpath=following-sibling::dd")


def test_the_profile_shows_the_users_data(page: Page, adult_api: Api) -> None:
    me = new_email()
    placed = place_order(adult_api(me))
    sign_in_as_adult(page, me, to="/account")
    expect(page.get_by_role("heading", name="Your account", level=1)).to_be_visible()
    profile = panel(page, "Profile")
    expect(profile.get_by_text("Verified (21+)")).to_be_visible()
    expect(fact(profile, "Email")).to_have_text(me)
    expect(fact(profile, "First name")).to_have_text("Not set")
    expect(fact(profile, "Member since")).to_have_text(re.compile(r"^[A-Z][a-z]{2} \d{2}, \d{4}$"))
    expect(fact(profile, "Total orders")).to_have_text("1")
    expect(fact(profile, "Total spent")).to_have_text(f"${placed['total']}")
    expect(fact(profile, "Account status")).to_have_text("Active")


def test_the_age_badge_is_shown_only_to_verified_users(page: Page, store: Store) -> None:
    me = new_email()
    sign_in_as_adult(page, me)
    run_sql(store, "UPDATE users SET age_verified_at = NULL WHERE email = :email", email=me)
    page.goto("/account?tab=profile")
    expect(panel(page, "Profile").get_by_text("Your age has not been verified yet.")).to_be_visible()
    expect(page.get_by_text("Verified (21+)")).to_have_count(0)


def test_the_tab_is_in_the_url_and_back_works(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to="/account")
    for name in ("Orders", "Saved", "Referrals", "Settings"):
        page.get_by_role("tab", name=name).click()
        page.wait_for_url(f"**/account?tab={name.lower()}")
        expect(panel(page, name)).to_be_visible()
    page.go_back()
    expect(panel(page, "Referrals")).to_be_visible()
    expect(page.get_by_role("tab", name="Referrals")).to_have_attribute("aria-selected", "true")
    page.goto("/account?tab=nonsense")
    expect(panel(page, "Profile")).to_be_visible()


def test_orders_are_paged_and_complete(page: Page, adult_api: Api) -> None:
    me = new_email()
    mine = adult_api(me)
    placed = [place_order(mine) for _ in range(11)]
    sign_in_as_adult(page, me, to="/account?tab=orders")
    orders = panel(page, "Orders")
    newest = orders.get_by_role("listitem").filter(has_text=f"Order {placed[-1]['number']}")
    expect(newest).to_contain_text("pending")
    expect(newest).to_contain_text(placed[-1]["id"][-8:])
    expect(newest).to_contain_text(f"${placed[-1]['total']}")
    expect(fact(newest, "Payment")).to_have_text("Cash on delivery")
    expect(fact(newest, "Delivery address")).to_have_text("214 Larch Street, Portland, OR 97201")
    expect(fact(newest, "Contact phone")).to_have_text("503 555 0142")
    expect(fact(newest, "Estimated delivery")).to_have_text(re.compile(r"\d{4}, \d+:\d\d [AP]M$"))
    orders.get_by_role("button", name="Page 2").click()
    page.wait_for_url("**/account?tab=orders&page=2")
    expect(orders.get_by_role("heading", level=2)).to_have_text([f"Order {placed[0]['number']}"])
    page.go_back()
    expect(newest).to_be_visible()
    page.goto("/account?tab=orders&page=99")
    expect(orders.get_by_role("heading", level=2)).to_have_text([f"Order {placed[0]['number']}"])


def test_an_email_of_usual_length_fits_on_one_line_on_a_phone(new_page: Callable[..., Page]) -> None:
    page = new_page(PHONE)
    sign_in_as_adult(page, f"oppenheim.{new_email()}", to="/account")
    email = fact(page.get_by_role("main"), "Email")
    expect(email).to_be_visible()
    assert line_count(email) == 1


def test_the_account_is_centered_in_a_wide_window(page: Page) -> None:
    sign_in_as_adult(page, new_email())
    for path in ("/account", "/account?tab=settings", "/account/privacy"):
        page.goto(path)
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_be_visible()
        box = heading.locator("xpath=..").bounding_box()
        width = page.evaluate("document.documentElement.clientWidth")
        assert box is not None
        assert abs(box["x"] - (width - box["x"] - box["width"])) <= 1, path


def test_an_account_without_orders_says_so(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to="/account?tab=orders")
    expect(panel(page, "Orders").get_by_text("No orders yet.")).to_be_visible()


def test_an_order_page_shows_progress_and_totals(page: Page, adult_api: Api) -> None:
    me = new_email()
    placed = place_order(adult_api(me))
    sign_in_as_adult(page, me, to="/account?tab=orders")
    page.get_by_role("button", name="View Details").click()
    expect(toast(page)).to_contain_text("Order Details")
    page.wait_for_url(f"**/orders/{placed['id']}")
    expect(page).to_have_title(f"Order {placed['number']} · Stillroom")
    expect(page.get_by_role("heading", name=f"Order {placed['number']}", level=1)).to_be_visible()
    steps = page.get_by_role("region", name="Order progress").get_by_role("listitem")
    expect(steps).to_contain_text(["Pending", "Confirmed", "Out for delivery", "Delivered"])
    expect(steps.first).to_have_attribute("aria-current", "step")
    main = page.get_by_role("main")
    expect(main.get_by_text(f"Please have exactly ${placed['total']} in cash ready.")).to_be_visible()
    expect(fact(main, "First purchase, 25%.*")).to_have_text("−$36.00")
    expect(fact(main, "Total")).to_have_text(f"${placed['total']}")
    expect(fact(main, "Payment pickup instructions")).to_have_text("Envelope under the mat.")


def test_another_users_order_is_not_found_nor_is_an_unknown_one(page: Page, adult_api: Api) -> None:
    theirs = place_order(adult_api(new_email()))
    sign_in_as_adult(page, new_email())
    for order_id in (theirs["id"], "nothing"):
        page.goto(f"/orders/{order_id}")
        expect(page.get_by_role("heading", name="Order not found.", level=1)).to_be_visible()
    expect(page.get_by_text("Larch")).to_have_count(0)


def test_the_skeleton_goes_when_an_order_cannot_be_loaded(page: Page, store: Store) -> None:
    sign_in_as_adult(page, new_email())
    run_sql(store, "ALTER TABLE orders RENAME TO orders_away")
    try:
        page.goto("/orders/00000000-0000-4000-8000-000000000000")
        expect(toast(page)).to_contain_text("Something went wrong. Please try again.")
        expect(page.get_by_text("This order could not be loaded.")).to_be_visible()
    finally:
        run_sql(store, "ALTER TABLE orders_away RENAME TO orders")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Order not found.", level=1)).to_be_visible()


def test_a_tab_of_the_account_that_could_not_be_loaded_can_be_tried_again(page: Page, store: Store) -> None:
    sign_in_as_adult(page, new_email())
    run_sql(store, "ALTER TABLE addresses RENAME TO addresses_away")
    try:
        page.goto("/account?tab=settings")
        expect(page.get_by_role("alert").filter(has_text=PAGE_FAILED)).to_be_visible()
        expect(page.get_by_role("heading", name="Your account", level=1)).to_be_visible()
    finally:
        run_sql(store, "ALTER TABLE addresses_away RENAME TO addresses")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Add Address")).to_be_visible()


def test_buying_again_names_unavailable_products(page: Page, adult_api: Api, store: Store) -> None:
    me = new_email()
    mine = adult_api(me)
    items = [{"productId": 2, "quantity": 2}, {"productId": 3, "quantity": 1}]
    placed = mine.post("/api/orders", json=draft(items=items)).json()
    unavailable, available = placed["items"][0]["name"], placed["items"][1]["name"]
    run_sql(store, "UPDATE products SET is_active = :off WHERE name = :name", off=False, name=unavailable)
    try:
        sign_in_as_adult(page, me, to=f"/orders/{placed['id']}")
        page.get_by_role("button", name="Buy again").click()
        expect(toast(page)).to_contain_text(f"{available} has been added to your cart.")
        expect(toast(page)).to_contain_text(f"No longer available: {unavailable}.")
        expect(page.get_by_role("button", name="Cart, 1 item")).to_be_visible()
        run_sql(store, "UPDATE products SET is_active = :off WHERE name = :name", off=False, name=available)
        page.get_by_role("button", name="Buy again").click()
        expect(toast(page)).to_contain_text("Nothing Added")
    finally:
        run_sql(
            store, "UPDATE products SET is_active = :on WHERE name IN (:a, :b)", on=True, a=unavailable, b=available
        )


def test_a_code_is_shown_copied_and_applied(new_page: Callable[..., Page], adult_api: Api) -> None:
    friend, me = new_email(), new_email()
    code = adult_api(friend).get("/api/referrals/my-code").json()["referralCode"]
    theirs = new_page()
    theirs.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sign_in_as_adult(theirs, friend, to="/account?tab=referrals")
    referrals = panel(theirs, "Referrals")
    expect(referrals.get_by_text(code, exact=True)).to_be_visible()
    expect(fact(referrals, "Successful referrals")).to_have_text("0")
    expect(fact(referrals, "Available credit")).to_have_text("$0.00")
    referrals.get_by_role("button", name="Copy").click()
    expect(toast(theirs)).to_contain_text("Copied!")
    assert theirs.evaluate("() => navigator.clipboard.readText()") == code

    mine = new_page()
    sign_in_as_adult(mine, me, to="/account?tab=referrals")
    field, apply = mine.get_by_label("Referral code", exact=True), mine.get_by_role("button", name="Apply Code")
    expect(apply).to_be_disabled()
    field.press_sequentially(code.lower())
    expect(field).to_have_value(code)
    expect(apply).to_be_enabled()
    apply.click()
    expect(toast(mine)).to_contain_text("Referral Applied!")
    expect(toast(mine)).to_contain_text(
        "You've been referred by a friend. You'll get $100 off when you make your first purchase!"
    )
    expect(mine.get_by_text("You were referred by a friend.")).to_be_visible()
    expect(field).to_have_count(0)
    expect(mine.locator("#referrer")).to_be_focused()

    place_order(adult_api(me))
    theirs.reload()
    expect(referrals.get_by_role("row").filter(has_text="A friend")).to_contain_text("Pending")


def test_a_shared_link_fills_in_the_code(page: Page, adult_api: Api) -> None:
    friend = adult_api(new_email())
    code = friend.get("/api/referrals/my-code").json()["referralCode"]
    sign_in_as_adult(page, new_email(), to=f"/account?tab=referrals&code={code.lower()}")
    expect(page.get_by_label("Referral code", exact=True)).to_have_value(code)
    page.get_by_role("button", name="Apply Code").click()
    expect(toast(page)).to_contain_text("Referral Applied!")


def test_a_code_that_cannot_be_applied_says_why_beside_the_field(page: Page, adult_api: Api) -> None:
    me = new_email()
    own = adult_api(me).get("/api/referrals/my-code").json()["referralCode"]
    sign_in_as_adult(page, me, to="/account?tab=referrals")
    field = page.get_by_label("Referral code", exact=True)
    for code, sentence in (
        (own, "This is your own referral code. Share it with your friends."),
        ("ZZZZZZZZ", "This referral code does not exist. Please check it and try again."),
        ("----", "Please check the referral code and try again."),
    ):
        field.fill(code)
        page.get_by_role("button", name="Apply Code").click()
        expect(toast(page)).to_contain_text("Failed to Apply Referral")
        expect(toast(page)).to_contain_text(sentence)
        expect(field).to_have_accessible_description(sentence)
        expect(field).to_have_value(code)


def test_a_failed_copy_is_reported(page: Page) -> None:
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
    sign_in_as_adult(page, new_email(), to="/account?tab=referrals")
    page.get_by_role("button", name="Copy").click()
    expect(toast(page)).to_contain_text("Copy Failed")
    expect(toast(page)).to_contain_text("Could not copy to clipboard.")


def test_the_settings_tab_downloads_the_users_data_and_links_to_privacy_and_preferences(page: Page) -> None:
    me = new_email()
    sockets: list[WebSocket] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    sign_in_as_adult(page, me, to="/account?tab=settings")
    with page.expect_download() as download:
        page.get_by_role("button", name="Request Data").click()
    assert not sockets[-1].is_closed()  # it brings live updates
    assert download.value.suggested_filename == "my-data.json"
    assert json.loads(download.value.path().read_text())["account"]["email"] == me
    page.get_by_role("button", name="Manage Privacy").click()
    expect(page.get_by_role("heading", name="Manage privacy", level=1)).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Update Preferences").click()
    page.wait_for_url("**/preferences")


def test_signing_out_everywhere_ends_other_browsers(page: Page, adult_api: Api) -> None:
    me = new_email()
    elsewhere = adult_api(me)
    sign_in_as_adult(page, me, to="/account?tab=settings")
    page.get_by_role("button", name="Sign Out Everywhere").click()
    expect(toast(page)).to_contain_text("Logged out successfully")
    assert elsewhere.get("/api/auth/user").status_code == 401


def test_signing_out_here_leaves_other_browsers_in(page: Page, adult_api: Api) -> None:
    me = new_email()
    elsewhere = adult_api(me)
    sign_in_as_adult(page, me, to="/account?tab=settings")
    page.get_by_role("button", name="Sign Out", exact=True).click()
    expect(toast(page)).to_contain_text("Logged out successfully")
    assert elsewhere.get("/api/auth/user").status_code == 200


def test_signing_out_in_one_tab_empties_the_others(page: Page) -> None:
    me = new_email()
    sign_in_as_adult(page, me, to="/account?tab=settings")
    other = page.context.new_page()
    other.goto("/account")
    expect(other.get_by_text(me)).to_be_visible()
    page.get_by_role("button", name="Sign Out", exact=True).click()
    other.wait_for_url("**/")
    expect(other.get_by_role("link", name="Sign In to Shop")).to_be_visible()
    expect(other.get_by_text(me)).to_have_count(0)


def test_deleting_the_account_asks_first(page: Page, adult_api: Api) -> None:
    me = new_email()
    elsewhere = adult_api(me)
    sign_in_as_adult(page, me, to="/account?tab=settings")
    dialogs: list[str] = []
    page.once("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.get_by_role("button", name="Delete Account").click()
    assert dialogs[0].startswith(
        "Are you sure you want to delete your account? This action cannot be undone and will permanently delete all "
        "your data including orders, referrals, and account information."
    )
    assert elsewhere.get("/api/auth/user").status_code == 200
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete Account").click()
    expect(toast(page)).to_contain_text("Account deleted successfully")
    expect(page.get_by_role("heading", name="Careful cannabis")).to_be_visible()
    assert elsewhere.get("/api/auth/user").status_code == 401


def test_an_account_with_an_order_on_its_way_cannot_be_deleted(page: Page, adult_api: Api, store: Store) -> None:
    me = new_email()
    elsewhere = adult_api(me)
    placed = place_order(elsewhere)
    run_sql(store, "UPDATE orders SET status = 'out_for_delivery' WHERE id = :id", id=placed["id"])
    sign_in_as_adult(page, me, to="/account?tab=settings")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete Account").click()
    expect(toast(page)).to_contain_text("Account deletion failed")
    expect(toast(page)).to_contain_text("One of your orders is out for delivery.")
    assert elsewhere.get("/api/auth/user").status_code == 200


def test_a_guest_is_asked_to_sign_in_and_redirected(page: Page) -> None:
    page.goto("/account?tab=orders")
    expect(page.get_by_role("heading", name="Please Sign In")).to_be_visible()
    expect(toast(page)).to_contain_text("You need to sign in to access your account.")
    page.wait_for_url("**/oauth2/authorize?**")
    page.goto("/orders/nothing")
    page.wait_for_url("**/oauth2/authorize?**")


def test_a_change_made_elsewhere_is_pushed(new_page: Callable[..., Page], adult_api: Api) -> None:
    """The buyer's two pages show the order and the referrer's shows the credit while the shop changes the status: all
    update without a reload."""
    friend, me = new_email(), new_email()
    code = adult_api(friend).get("/api/referrals/my-code").json()["referralCode"]
    adult_api(me).post("/api/referrals/apply", json={"referralCode": code}).raise_for_status()
    placed = place_order(adult_api(me))
    mine, theirs, listed = new_page(), new_page(), new_page()
    for page, who, path in (
        (mine, me, f"/orders/{placed['id']}"),
        (listed, me, "/account?tab=orders"),
        (theirs, friend, "/account?tab=referrals"),
    ):
        sign_in_as_adult(page, who, to=path)
    referrals = panel(theirs, "Referrals")
    expect(referrals.get_by_role("row").filter(has_text="A friend")).to_contain_text("Pending")
    expect(mine.get_by_text("We have your order.")).to_be_visible()
    expect(listed.get_by_text("pending")).to_be_visible()
    owner = adult_api(OWNER)

    def set_status(status: str) -> None:
        owner.put(f"/api/admin/orders/{placed['id']}", json={"status": status}).raise_for_status()

    set_status("out_for_delivery")
    expect(mine.get_by_text("On its way.")).to_be_visible(timeout=2_000)
    expect(listed.get_by_text("out for delivery")).to_be_visible(timeout=2_000)
    set_status("delivered")
    expect(mine.get_by_text("Thank you for your order.")).to_be_visible(timeout=2_000)
    expect(fact(referrals, "Available credit")).to_have_text("$100.00", timeout=2_000)
    expect(fact(referrals, "Successful referrals")).to_have_text("1")
    expect(referrals.get_by_role("row").filter(has_text="A friend")).to_contain_text("+$100.00")


def test_signing_out_everywhere_signs_out_open_pages(new_page: Callable[..., Page], adult_api: Api) -> None:
    me = new_email()
    page = new_page()
    sign_in_as_adult(page, me, to="/account")
    expect(panel(page, "Profile").get_by_text(me)).to_be_visible()
    adult_api(me).post("/api/auth/logout?everywhere=true", json={}).raise_for_status()
    expect(page.get_by_role("heading", name="Please Sign In")).to_be_visible(timeout=2_000)
    expect(page.get_by_text(me)).to_have_count(0)
