"""The catalogue: filters in the URL, search, sort, pages, and the product page (RULE catalogue-url)."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from marketplace_app.theme.tokens import LIGHT
from tests.e2e.acts import card, expect_found, new_email, run_sql, sign_in_as_adult, toast, wait_for_requests
from tests.e2e.conftest import PHONE, Store

pytestmark = pytest.mark.browser

FILTERS = {
    "Categories": ["THC Flower", "Pre-Rolls", "Edibles", "Concentrates", "Vapes"],
    "Types": [
        *("Indica", "Sativa", "Hybrid", "Pre-Roll"),
        *("Eighth (3.5g)", "Quarter (7g)", "Half Oz (14g)", "Full Oz (28g)"),
    ],
    "CBD Potency": ["Low THC (15-20%)", "Medium THC (20-25%)", "High THC (25%+)"],
    "Price Range": ["Under $50", "$50 - $100", "$100 - $200", "Over $200"],
}


@pytest.fixture
def member(page: Page) -> Page:
    """Signed in, with no page open."""
    sign_in_as_adult(page, "browser@example.org", to=None)
    return page


@pytest.fixture
def shop(member: Page) -> Page:
    member.goto("/")
    expect(member.get_by_role("status").filter(has_text="products found")).to_have_text("66 products found")
    return member


def fact(page: Page, term: str) -> Locator:
    """What the label beside a product's picture says."""
    return page.locator("dl > div").filter(has=page.get_by_text(term, exact=True)).locator("dd")


def names(page: Page) -> list[str]:
    return page.get_by_role("listitem").get_by_role("heading").all_inner_texts()


def test_the_whole_catalogue_is_paged_on_the_server(shop: Page) -> None:
    expect(shop.get_by_role("heading", name="All Products", level=1)).to_be_visible()
    expect(shop.get_by_role("button", name="Add to Cart")).to_have_count(24)
    first = names(shop)
    shop.get_by_role("navigation", name="Pages").get_by_text("2", exact=True).click()
    shop.wait_for_url("**/?page=2")
    expect(shop.get_by_role("heading", name=first[0], exact=True)).to_have_count(0)
    expect_found(shop, "66 products found")


# Keeps every list of products that the page has shown.
RECORD_LISTS = """
window.shownLists = [];
(function record() {
  const names = [...document.querySelectorAll('section[aria-label="Products"] li h2')].map((each) => each.textContent);
  if (names.length && names.join() !== (window.shownLists.at(-1) || []).join()) window.shownLists.push(names);
  requestAnimationFrame(record);
})();
"""


def test_a_page_that_is_loaded_never_shows_what_the_tab_showed_before(shop: Page) -> None:
    shop.add_init_script(RECORD_LISTS)
    shop.goto("/?search=fern+hollow")
    expect_found(shop, "1 product found")
    assert shop.evaluate("shownLists") == [["Fern Hollow"]]
    shop.goto("/?category=Vapes&search=nothing+of+this+name")
    expect_found(shop, "0 products found")
    assert shop.evaluate("shownLists") == []


def test_a_press_that_began_on_one_product_does_not_end_on_another(shop: Page) -> None:
    first = shop.get_by_role("button", name="Add to Cart").first
    first.hover()
    shop.mouse.down()
    shop.get_by_label("Sort").select_option("name-desc")
    shop.wait_for_url("**/?sort=name-desc")
    expect_found(shop, "66 products found")
    assert names(shop) == sorted(names(shop), reverse=True)
    shop.mouse.up()
    wait_for_requests(shop)
    expect(shop.get_by_role("button", name="Adding...")).to_have_count(0)
    assert shop.request.get("/api/cart").json() == []


def test_the_bar_the_panel_and_the_order_offer_their_choices(shop: Page) -> None:
    bar = shop.get_by_role("navigation", name="Categories").get_by_role("button")
    expect(bar).to_have_text(["All Products", "THC Flower", "Pre-Rolls", "Concentrates", "Vapes", "Edibles"])
    panel = shop.get_by_role("complementary", name="Filters")
    for heading, values in FILTERS.items():
        expect(panel.get_by_role("group", name=heading, exact=True).locator("label")).to_have_text(values)
    options = shop.get_by_label("Sort").locator("option")
    sorts = ["featured", "name-asc", "name-desc", "price-asc", "price-desc", "rating-desc", "newest"]
    assert [option.get_attribute("value") for option in options.all()] == sorts
    expect(shop.get_by_label("Sort")).to_have_value("featured")
    expect(shop.get_by_role("button", name="Grid", exact=True)).to_have_attribute("aria-pressed", "true")


def test_a_card_and_a_row_show_the_same_facts(member: Page) -> None:
    for address in ("/?search=fern+hollow", "/?search=fern+hollow&view=list"):
        member.goto(address)
        product = card(member, "Fern Hollow")
        expect(product.locator("img")).to_have_attribute("src", "/pictures/fern-hollow-640.webp")
        for text in ("THC Flower", "4.8 (214)", "$48.00"):
            expect(product.get_by_text(text, exact=True)).to_be_visible()
        expect(product.get_by_text(re.compile("^Cool pine and wet stone"))).to_have_css("-webkit-line-clamp", "2")
        expect(product.get_by_role("button", name="Add to Cart")).to_be_enabled()
        expect(product.get_by_role("button", name="Save Fern Hollow")).to_be_visible()
        expect(product.get_by_text("Out of Stock")).to_have_count(0)


@pytest.mark.parametrize(
    ("category", "hue"),
    [
        *(("THC Flower", "purple"), ("THC", "purple"), ("CBD", "green"), ("Edibles", "orange")),
        *(("Topicals", "blue"), ("Accessories", "grey"), ("Pre-Rolls", "green")),
    ],
)
def test_a_badge_has_the_colour_of_its_category(member: Page, store: Store, category: str, hue: str) -> None:
    move = "UPDATE products SET category = '{}' WHERE name = 'Fern Hollow'"
    red, green, blue = bytes.fromhex(LIGHT[f"{hue}-w"].removeprefix("#"))
    run_sql(store, move.format(category))
    try:
        for address in ("/?search=fern+hollow", "/product/1"):
            member.goto(address)
            badge = (
                member.get_by_role("main").get_by_text(category, exact=True).and_(member.locator(".rounded-1")).first
            )
            expect(badge).to_have_css("background-color", f"rgb({red}, {green}, {blue})")
    finally:
        run_sql(store, move.format("THC Flower"))


def test_one_review_is_not_several(member: Page, store: Store) -> None:
    run_sql(store, "UPDATE products SET review_count = 1 WHERE id = 1")
    try:
        member.goto("/product/1")
        expect(member.get_by_role("main").get_by_text("4.8 (1 review)", exact=True)).to_be_visible()
    finally:
        run_sql(store, "UPDATE products SET review_count = 214 WHERE id = 1")


def test_a_product_without_a_picture_gets_a_drawn_one(member: Page, store: Store) -> None:
    run_sql(store, "UPDATE products SET image = '' WHERE name = 'Fern Hollow'")
    try:
        for address in ("/?search=fern+hollow", "/product/1"):
            member.goto(address)
            expect(member.get_by_role("main").get_by_role("heading", name="Fern Hollow", exact=True)).to_be_visible()
            drawn = member.get_by_role("main").locator("img").first
            expect(drawn).to_have_attribute("src", re.compile(r"^/packages/.+\.svg$"))
            expect(drawn).to_have_js_property("complete", True)
            expect(drawn).not_to_have_js_property("naturalWidth", 0)
    finally:
        run_sql(store, "UPDATE products SET image = '/pictures/fern-hollow' WHERE name = 'Fern Hollow'")


def test_filters_combine_in_the_url_and_back_undoes_them(shop: Page) -> None:
    panel = shop.get_by_role("complementary")
    panel.get_by_role("checkbox", name=re.compile("^THC Flower")).click()
    shop.wait_for_url("**/?category=THC+Flower")
    expect(shop.get_by_role("heading", name="THC Flower Products", level=1)).to_be_visible()
    expect_found(shop, "22 products found")
    panel.get_by_role("checkbox", name=re.compile("^Indica")).click()
    shop.wait_for_url("**/?category=THC+Flower&type=Indica")
    expect(shop.get_by_role("status").filter(has_text="found")).not_to_have_text("22 products found")
    shop.go_back()
    expect_found(shop, "22 products found")
    expect(panel.get_by_role("checkbox", name=re.compile("^Indica"))).not_to_be_checked()
    shop.go_back()
    expect_found(shop, "66 products found")
    shop.go_forward()
    expect_found(shop, "22 products found")


def test_back_from_a_product_returns_to_the_same_place(shop: Page) -> None:
    expect(shop.get_by_role("button", name="Add to Cart")).to_have_count(24)
    link = shop.get_by_role("main").get_by_role("listitem").get_by_role("link").nth(20)
    link.scroll_into_view_if_needed()
    height = shop.evaluate("() => scrollY")
    assert height > 1000
    link.click()
    expect(shop.get_by_role("link", name="Back to Products")).to_be_visible()
    shop.go_back()
    expect(link).to_be_in_viewport()
    assert abs(shop.evaluate("() => scrollY") - height) < 50


def test_back_to_products_keeps_the_list_as_it_was_left(member: Page) -> None:
    member.goto("/?type=Indica&sort=price-asc&page=1")
    expect(member.get_by_role("button", name="Add to Cart").nth(10)).to_be_attached()
    member.get_by_role("complementary").get_by_role("checkbox", name=re.compile("^THC Flower")).click()
    member.wait_for_url("**/?category=THC+Flower&type=Indica&sort=price-asc")
    link = member.get_by_role("main").get_by_role("listitem").get_by_role("link").nth(5)
    link.scroll_into_view_if_needed()
    height = member.evaluate("() => scrollY")
    assert height > 100
    link.click()
    back = member.get_by_role("link", name="Back to Products")
    expect(back).to_have_attribute("href", "/")
    back.click()
    member.wait_for_url("**/?category=THC+Flower&type=Indica&sort=price-asc")
    expect(link).to_be_in_viewport()
    assert abs(member.evaluate("() => scrollY") - height) < 50
    member.go_forward()
    member.wait_for_url("**/product/*")
    member.goto("/product/1")  # not from the list
    back.click()
    expect_found(member, "66 products found")


def test_more_filters_are_collapsed_and_in_the_url(shop: Page) -> None:
    panel = shop.get_by_role("complementary", name="Filters")
    more = panel.get_by_role("button", name=re.compile("^More filters"))
    expect(more).to_have_attribute("aria-expanded", "false")
    expect(panel.get_by_role("group", name="Effects")).to_have_count(0)
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    effects = panel.get_by_role("group", name="Effects")
    first = effects.get_by_role("checkbox").first
    count = int(effects.locator("[id$=-count]").first.inner_text().split()[0])
    first.click()
    expect_found(shop, f"{count} products found")
    expect(shop).to_have_url(re.compile(r"\?effect="))
    expect(more).to_have_text("More filters (1)")
    thc = panel.get_by_role("group", name="THC", exact=True)
    thc.get_by_role("radio", name="20% - 25%").click()
    shop.wait_for_url("**&minThc=20&maxThc=25")
    panel.get_by_role("checkbox", name="In stock").click()
    shop.wait_for_url("**&inStock=true")
    shown = shop.get_by_role("status").filter(has_text="found").inner_text()
    shop.reload()
    expect_found(shop, shown)
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(thc.get_by_role("radio", name="20% - 25%")).to_be_checked()
    shop.get_by_role("button", name="Remove filter THC: 20% - 25%").click()
    shop.wait_for_url(lambda url: "Thc" not in url)
    expect(shop.get_by_role("heading", level=1)).to_be_focused()
    panel.get_by_role("button", name="Clear All").click()
    expect_found(shop, "66 products found")


def test_a_long_list_shows_ten_until_all_are_asked_for(shop: Page) -> None:
    panel = shop.get_by_role("complementary", name="Filters")
    panel.get_by_role("button", name=re.compile("^More filters")).click()
    flavors = panel.get_by_role("group", name="Flavors")
    expect(flavors.get_by_role("checkbox")).to_have_count(10)
    flavors.get_by_role("button", name=re.compile("^Show all")).click()
    expect(flavors.get_by_role("button", name=re.compile("^Show fewer"))).to_have_attribute("aria-expanded", "true")
    assert flavors.get_by_role("checkbox").count() > 10


def test_nothing_found_offers_near_names_and_categories(member: Page) -> None:
    member.goto("/?search=fern+holowq")
    expect(member.get_by_role("heading", name="No products match “fern holowq”")).to_be_visible()
    member.get_by_role("link", name="Fern Hollow", exact=True).click()
    member.wait_for_url("**/product/*")
    member.goto("/?search=fern+holowq")
    member.get_by_role("main").get_by_role("link", name=re.compile(r"^Edibles \(\d+\)")).click()
    member.wait_for_url("**/?category=Edibles")


def test_filters_that_exclude_all_results_can_be_removed(member: Page) -> None:
    member.goto("/?search=fern+hollow&minThc=99")
    expect(member.get_by_text("Your filters leave out every product that matches.")).to_be_visible()
    member.get_by_role("link", name=re.compile("^Show 1 result without filters")).click()
    expect(card(member, "Fern Hollow")).to_be_visible()


def test_a_url_with_filters_can_be_shared(member: Page) -> None:
    member.goto("/?category=Edibles&price=Under+%2450&sort=price-asc")
    expect(member.get_by_role("heading", name="Edibles Products", level=1)).to_be_visible()
    expect(member.get_by_role("radio", name=re.compile(r"^Under \$50"))).to_be_checked()
    expect(member.get_by_label("Sort")).to_have_value("price-asc")
    shown = member.locator("main").get_by_text(re.compile(r"^\$\d+\.\d\d$"))
    expect(shown.nth(1)).to_be_visible()
    prices = [float(text.removeprefix("$")) for text in shown.all_inner_texts()]
    assert prices == sorted(prices)


def test_a_category_button_replaces_and_all_products_resets(member: Page) -> None:
    member.goto("/?type=Indica&search=berry")
    bar = member.get_by_role("navigation", name="Categories")
    bar.get_by_text("Vapes").click()
    expect(member.get_by_role("heading", name="Vapes Products", level=1)).to_be_visible()
    bar.get_by_text("All Products").click()
    expect_found(member, "66 products found")
    expect(member).to_have_url(re.compile(r"/$"))


def test_a_category_chosen_while_another_opens_replaces_it_at_once(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    found: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: found.extend(_found(frame))))
    page.goto("/")
    expect_found(page, "66 products found")
    wait_for_requests(page)
    page.evaluate(_CLICK_WHEN_THE_URL_CHANGES, "All Products")
    page.get_by_role("button", name="THC Flower", exact=True).click()
    expect(page).to_have_url(re.compile("/$"))
    wait_for_requests(page)
    expect_found(page, "66 products found")
    assert found == ["66 products found", "22 products found", "66 products found"]


# Clicks as soon as the URL changes, before the page has reported it to the server.
_CLICK_WHEN_THE_URL_CHANGES = """
(name) => {
  const push = history.pushState;
  history.pushState = function (...entry) {
    push.apply(history, entry);
    history.pushState = push;
    [...document.querySelectorAll("button")].find(button => button.textContent === name).click();
  };
}
"""


def _found(frame: str | bytes) -> list[str]:
    return re.findall(r"\d+ products found", str(frame))


def test_clear_all_resets_every_filter(member: Page) -> None:
    member.goto("/?type=Indica&type=Sativa&potency=High+THC+%2825%25%2B%29&price=Under+%2450")
    member.get_by_role("complementary").get_by_role("button", name="Clear All").click()
    expect_found(member, "66 products found")
    expect(member.get_by_role("checkbox", checked=True)).to_have_count(0)


def test_nothing_found_says_so_and_can_be_cleared(member: Page) -> None:
    member.goto("/?search=nothing+like+this")
    expect(member.get_by_text("No products found matching your criteria.")).to_be_visible()
    member.get_by_role("button", name="Clear Filters").click()
    expect_found(member, "66 products found")
    expect(member.get_by_role("heading", level=1)).to_be_focused()


def test_search_finds_as_one_types_without_accents(shop: Page) -> None:
    box = shop.get_by_placeholder("Search products...").locator("visible=true")
    box.press_sequentially("pinon du", delay=20)
    expect(card(shop, "Piñon Dusk")).to_be_visible()
    expect_found(shop, "1 product found")
    shop.wait_for_url("**/?search=pinon+du")


def test_a_misspelled_search_is_corrected_unless_declined(member: Page) -> None:
    member.goto("/?search=pinion+dsuk&sort=price-asc")
    correction = member.get_by_role("status").filter(has_text="Showing results for")
    expect(correction).to_have_text("Showing results for 'pinon dusk'. Search for 'pinion dsuk' instead.")
    expect(member.get_by_role("heading", level=1)).to_have_text("Results for “pinon dusk”")
    expect(card(member, "Piñon Dusk")).to_be_visible()
    correction.get_by_role("link", name="Search for 'pinion dsuk' instead.").click()
    member.wait_for_url("**/?search=pinion+dsuk&sort=price-asc&exact=1")
    expect(member.get_by_text("No products found matching your criteria.")).to_be_visible()
    expect(correction).to_have_count(0)
    expect(member.get_by_role("heading", level=1)).to_have_text("Results for “pinion dsuk”")
    box = member.get_by_placeholder("Search products...").locator("visible=true")
    box.fill("fren hollow")
    expect(correction).to_contain_text("Showing results for 'fern hollow'.")
    member.wait_for_url(lambda url: "exact" not in url and "search=fren+hollow" in url)
    box.fill("fern hollow")
    expect(correction).to_have_count(0)


def test_grid_and_list(shop: Page) -> None:
    shop.get_by_role("button", name="List", exact=True).click()
    shop.wait_for_url("**/?view=list")
    expect(shop.get_by_role("button", name="List", exact=True)).to_have_attribute("aria-pressed", "true")
    items = shop.get_by_role("main").get_by_role("listitem").filter(has=shop.get_by_role("heading"))
    first, second = items.nth(0).bounding_box(), items.nth(1).bounding_box()
    assert first and second
    assert first["x"] == second["x"]
    shop.get_by_role("button", name="Grid", exact=True).click()
    shop.wait_for_url(re.compile("/$"))
    expect(shop.get_by_role("button", name="Grid", exact=True)).to_have_attribute("aria-pressed", "true")
    first, second = items.nth(0).bounding_box(), items.nth(1).bounding_box()
    assert first and second
    assert first["y"] == second["y"]


def test_sorting_by_name(shop: Page) -> None:
    shop.get_by_label("Sort").select_option("name-desc")
    shop.wait_for_url("**/?sort=name-desc")
    expect(shop.get_by_role("listitem").get_by_role("heading").first).to_have_text("Winter Pear")


def test_an_invalid_url_shows_the_whole_catalogue(member: Page) -> None:
    member.goto("/?sort=sideways&page=-1&view=%00")
    expect_found(member, "66 products found")


def test_filters_are_in_a_sheet_on_a_phone(new_page: Callable[..., Page]) -> None:
    phone = new_page(PHONE)
    sign_in_as_adult(phone, "browser@example.org")
    phone.get_by_role("button", name=re.compile("^Filters")).click()
    sheet = phone.get_by_role("dialog")
    sheet.get_by_role("checkbox", name=re.compile("^Vapes")).click()
    sheet.get_by_role("button", name="Show 10 products").click()
    expect(sheet).to_be_hidden()
    expect_found(phone, "10 products found")
    expect(phone.get_by_role("button", name="Filters (1)")).to_be_visible()


def test_a_product_page_says_what_is_known(shop: Page) -> None:
    card(shop, "Fern Hollow").get_by_role("link", name="Fern Hollow").first.click()
    expect(shop.get_by_role("heading", name="Fern Hollow", level=1)).to_be_visible()
    main = shop.get_by_role("main")
    expect(main.get_by_role("img", name="Fern Hollow")).to_be_visible()
    for text in ("THC Flower", "Featured", "4.8 (214 reviews)", "$48.00"):
        expect(main.get_by_text(text, exact=True).first).to_be_visible()
    stars = main.get_by_text("4.8 (214 reviews)").locator("xpath=..").locator("svg")
    assert ["text-amber" in (star.get_attribute("class") or "") for star in stars.all()] == [True] * 4 + [False]
    facts = {"Type": "Hybrid", "Potency": "Medium THC (20-25%)", "Availability": "In Stock"}
    for term, value in facts.items():
        expect(fact(shop, term)).to_have_text(value)
    for icon in ("Lab Tested", "Premium Quality", "Fast Shipping"):
        expect(main.get_by_text(icon, exact=True)).to_be_visible()
    expect(main.get_by_role("tab")).to_have_text(["Description", "Ingredients", "Lab Results"])
    expect(main.get_by_role("tabpanel")).to_contain_text("Cool pine and wet stone")
    main.get_by_role("tab", name="Ingredients").click()
    expect(main.get_by_text("Cured cannabis flower, hand trimmed.")).to_be_visible()
    main.get_by_role("tab", name="Lab Results").click()
    rows = main.get_by_role("tabpanel").locator("tbody tr")
    expect(rows.get_by_role("rowheader")).to_have_text(
        ["Pesticides", "Heavy Metals", "Residual Solvents", "Microbials"]
    )
    expect(rows.get_by_role("cell")).to_have_text(["Not Detected"] * 4)
    main.get_by_role("button", name="Add to Cart").click()
    expect(toast(shop)).to_contain_text("Fern Hollow has been added to your cart.")
    shop.get_by_role("link", name="Back to Products").click()
    expect_found(shop, "66 products found")


def test_on_a_phone_the_button_sticks_to_the_foot_until_its_own_place_is_reached(new_page: Callable[..., Page]) -> None:
    page = new_page(PHONE)
    sign_in_as_adult(page, new_email(), to="/product/1")
    button = page.get_by_role("main").get_by_role("button", name="Add to Cart")
    expect(button).to_be_in_viewport(ratio=1)
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    expect(button).not_to_be_in_viewport()


def test_a_product_without_a_report_has_no_lab_results(member: Page) -> None:
    member.goto("/?search=ashlar")
    card(member, "Ashlar Hash").get_by_role("link", name="Ashlar Hash").first.click()
    main = member.get_by_role("main")
    main.get_by_role("tab", name="Lab Results").click()
    expect(main.get_by_text("No lab report on file")).to_be_visible()
    expect(main.get_by_text("Lab Tested")).to_have_count(0)


@pytest.mark.parametrize("number", ["999999", "abc", "-1"])
def test_an_unknown_product_is_reported(member: Page, number: str) -> None:
    member.goto(f"/product/{number}")
    expect(member.get_by_text("Product not found.")).to_be_visible()
    member.get_by_role("link", name="Back to Products").click()
    expect_found(member, "66 products found")


def test_out_of_stock_cannot_be_added(member: Page) -> None:
    member.goto("/?search=moorland")
    gone = card(member, "Moorland")
    expect(gone.get_by_text("Out of Stock")).to_be_visible()
    expect(gone.get_by_role("button", name="Add to Cart")).to_be_disabled()
    gone.get_by_role("link", name="Moorland").click()
    expect(fact(member, "Availability")).to_have_text("Out of Stock")
    expect(member.get_by_role("main").get_by_role("button", name="Add to Cart")).to_be_disabled()
    member.goto("/?search=moorland&view=list")
    expect(gone.get_by_text("Out of Stock")).to_be_visible()


def test_a_guest_signs_in_and_returns_to_the_product(page: Page) -> None:
    page.goto("/product/2")
    page.locator("input[name=sub]").fill("returner@example.org")
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url("**/product/2")
    expect(page.get_by_role("heading", level=1)).to_have_text("Midnight Orchard")


def test_an_unknown_route_is_the_404_screen(page: Page) -> None:
    answer = page.goto("/no/such/page")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", name="404 Page Not Found", level=1)).to_be_visible()


def test_a_failed_catalogue_is_reported_and_can_be_retried(member: Page, store: Store) -> None:
    run_sql(store, "ALTER TABLE counters RENAME TO counters_away")
    try:
        member.goto("/?sort=newest")
        expect(member.get_by_text("Failed to load products. Please try again.")).to_be_visible()
    finally:
        run_sql(store, "ALTER TABLE counters_away RENAME TO counters")
    member.get_by_role("button", name="Try again").click()
    expect_found(member, "66 products found")
