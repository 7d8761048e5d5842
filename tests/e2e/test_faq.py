"""`/faq`: every fact (RULE faq-facts), for guests too, by keyboard and by URL."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import horizontal_overflow
from tests.e2e.conftest import BOTH_SIZES

pytestmark = pytest.mark.browser

# The facts of RULE faq-facts, each with the question that states it.
FACTS = {
    "How do I pay?": [
        "Payment is cash on delivery only: exact cash, no change.",
        "No cards, digital payments, checks or crypto.",
        "Order",
        "Prepare exact cash",
        "Contactless delivery",
        "Payment verified and order left",
    ],
    "Can the driver give change?": ["No. Please prepare the exact cash: no change is given."],
    "When is my first-purchase discount taken off?": [
        "25% off your first purchase, applied automatically at checkout. No code."
    ],
    "What does delivery cost?": [
        "Delivery is free for orders of $200 and above.",
        "Under $200 there is a $25 fee.",
        "The minimum order is $100.",
    ],
    "How long does it take?": ["Processing takes 2-4 hours; delivery within 48 hours (weekends 48-72 hours)."],
    "Can I have it the same day?": ["Same-day rush delivery is available for an extra fee."],
    "What if a product is wrong?": ["Wrong products get a refund or replacement within 24 hours."],
    "When is support open?": ["9 AM-9 PM, 7 days a week."],
    "How fast will I hear back?": ["General questions2-4 hours", "Order issuesWithin 1 hour", "UrgentBy phone"],
    "Which requests come first?": ["HighImmediate", "Medium1-2 hours", "Normal2-4 hours"],
    "Do regular customers get faster answers?": ["VIP and repeat customers get faster responses."],
}


def question(page: Page, words: str) -> Locator:
    return page.locator("details").filter(has=page.get_by_role("heading", name=words, exact=True))


def expect_open(page: Page, words: str) -> None:
    expect(question(page, words)).to_have_attribute("open", "")


def test_a_guest_finds_every_fact_in_its_section(page: Page) -> None:
    page.goto("/faq")
    expect(page).to_have_title("FAQ · Stillroom")
    expect(page.get_by_role("heading", level=1)).to_have_text("Questions, answered")
    for section in ("Payment methods", "Delivery process", "Customer support"):
        expect(page.get_by_role("main").get_by_role("heading", name=section, level=2)).to_be_visible()
    expect(page.locator("details")).to_have_count(len(FACTS))
    for words, facts in FACTS.items():
        details = question(page, words)
        if words != "How do I pay?":
            details.locator("summary").click()
        for fact in facts:
            expect(details).to_contain_text(fact)
        expect(details.locator("p").first).to_be_visible()


def test_the_steps_of_paying_are_visible_in_order(page: Page) -> None:
    page.goto("/faq")
    steps = question(page, "How do I pay?").get_by_role("listitem")
    expect(steps).to_have_text(
        ["1Order", "2Prepare exact cash", "3Contactless delivery", "4Payment verified and order left"]
    )
    expect(steps.first).to_be_visible()


def test_questions_expand_by_keyboard(page: Page) -> None:
    page.goto("/faq")
    details = question(page, "Can the driver give change?")
    details.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(details.locator("p")).to_be_visible()
    page.keyboard.press("Space")
    expect(details.locator("p")).to_be_hidden()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_url_hash_opens_its_question(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = new_page(size)
    page.goto("/faq#refunds")
    expect_open(page, "What if a product is wrong?")
    expect(question(page, "What if a product is wrong?").locator("p")).to_be_in_viewport()
    expect(question(page, "What if a product is wrong?").locator("summary")).to_be_focused()
    page.evaluate("() => { location.hash = 'vip'; }")
    expect_open(page, "Do regular customers get faster answers?")
    expect(question(page, "Do regular customers get faster answers?").locator("p")).to_be_in_viewport()
    page.go_back()
    expect(question(page, "What if a product is wrong?").locator("summary")).to_be_focused()


def test_after_coming_from_another_page_a_link_to_a_section_focuses_its_heading(page: Page) -> None:
    page.goto("/shipping")
    page.get_by_role("link", name="FAQ", exact=True).last.click()
    page.wait_for_url("**/faq")
    page.evaluate("() => { history.pushState(null, '', '/faq#no-such-question'); }")
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Customer support").click()
    page.wait_for_url("**/faq#support")
    heading = page.get_by_role("heading", name="Customer support")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()


def test_it_leads_home_and_to_support(page: Page) -> None:
    page.goto("/faq")
    main = page.get_by_role("main")
    expect(main.get_by_text("Support answers 9 AM-9 PM, 7 days a week.")).to_be_visible()
    expect(main.get_by_role("link", name="Contact Support")).to_have_attribute("href", "/support")
    main.get_by_role("link", name="Home", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Careful cannabis, brought to your door.")


def test_an_answer_is_as_wide_as_its_question(page: Page) -> None:
    page.goto("/faq")
    paying = question(page, "How do I pay?")
    steps, whole = paying.get_by_role("list").bounding_box(), paying.bounding_box()
    assert steps is not None and whole is not None
    assert (steps["x"], steps["width"]) == (whole["x"], whole["width"])


def test_nothing_is_wider_than_the_screen(new_page: Callable[..., Page]) -> None:
    page = new_page((320, 740))
    page.goto("/faq")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert horizontal_overflow(page) <= 0


def test_the_faq_is_in_the_sitemap(page: Page) -> None:
    assert "/faq</loc>" in page.request.get("/sitemap.xml").text()
