"""Preferences, their summary, and the picks made from them (RULE preferences)."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import SocketProxy, expect_found, new_email, run_sql, sign_in_as_adult, toast, wait_for_requests
from tests.e2e.conftest import BOTH_SIZES, Api, Store
from tests.e2e.test_accessibility import expect_accessible

pytestmark = pytest.mark.browser

OPTIONS = {
    "Preferred types": "Indica, Sativa, Hybrid",
    "Preferred effects": (
        "Happy, Relaxed, Euphoric, Uplifted, Creative, Focused, Energetic, Talkative, Calm, Sleepy, Hungry, Giggly, "
        "Alert, Inspired"
    ),
    "Preferred flavors": (
        "Sweet, Citrus, Earthy, Pine, Floral, Spicy, Fruity, Diesel, Skunky, Vanilla, Berry, Mint, Woody, Tropical"
    ),
    "Medical needs": (
        "Pain Relief, Anxiety, Insomnia, Depression, Stress, Appetite, Nausea, Headaches, Inflammation, PTSD, "
        "ADD/ADHD, Cancer"
    ),
    "Effects to avoid": (
        "Paranoia, Anxiety, Dry Mouth, Dry Eyes, Dizziness, Couch Lock, Headache, Fatigue, Drowsiness"
    ),
}
CONSENT = "The store may keep my medical needs"


def open_preferences(page: Page, email: str) -> None:
    sign_in_as_adult(page, email, to="/preferences")
    expect(save_button(page)).to_be_visible()


def box(page: Page, legend: str, option: str) -> Locator:
    return page.get_by_role("group", name=legend).get_by_role("checkbox", name=option, exact=True)


def save_button(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^(Save Preferences|Saving...)$"))


def summary(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Your Current Preferences")


def picks(page: Page) -> Locator:
    return page.get_by_role("region", name="Picked for you")


def save(page: Page) -> None:
    save_button(page).click()
    expect(toast(page)).to_contain_text("Preferences saved!")


def test_every_card_and_option_is_there_and_nothing_is_chosen(page: Page) -> None:
    open_preferences(page, new_email())
    expect(page).to_have_title("Preferences · Stillroom")
    expect(page.get_by_role("heading", name="Preferences", level=1)).to_be_visible()
    for heading in ("Experience & Usage", "Strain Preferences", "Medical & Wellness (optional)"):
        expect(page.get_by_role("heading", name=heading, level=2, exact=True)).to_be_visible()
    for label, options in (
        ("Experience level", ["Not set", "Beginner", "Intermediate", "Advanced"]),
        ("Tolerance level", ["Not set", "Low", "Medium", "High"]),
        ("Primary use time", ["Not set", "Morning", "Afternoon", "Evening", "Night"]),
    ):
        expect(page.get_by_label(label).locator("option")).to_have_text(options)
        expect(page.get_by_label(label)).to_have_value("")
    for legend, options in OPTIONS.items():
        boxes = page.get_by_role("group", name=legend).get_by_role("checkbox")
        assert [each.get_attribute("value") for each in boxes.all()] == options.split(", ")
        assert not any(each.is_checked() for each in boxes.all())
    slider = page.get_by_role("slider", name="Desired intensity")
    expect(slider).to_have_value("5")
    expect(slider).to_have_accessible_description("Mild Intense")
    assert [slider.get_attribute(name) for name in ("min", "max", "step")] == ["1", "10", "1"]
    expect(page.get_by_role("status").filter(has_text=re.compile("^5$"))).to_be_visible()
    expect(summary(page)).to_have_count(0)


def test_saved_preferences_are_summarized_and_restored(page: Page, api: Api) -> None:
    me = new_email()
    open_preferences(page, me)
    page.get_by_label("Experience level").select_option("beginner")
    page.get_by_label("Primary use time").select_option("evening")
    slider = page.get_by_role("slider", name="Desired intensity")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    expect(page.get_by_role("status").filter(has_text=re.compile("^7$"))).to_be_visible()
    for option in ("Indica", "Hybrid"):
        box(page, "Preferred types", option).check()
    effects = OPTIONS["Preferred effects"].split(", ")[:11]
    for option in effects:
        box(page, "Preferred effects", option).check()
    box(page, "Preferred flavors", "Citrus").check()
    box(page, "Effects to avoid", "Couch Lock").check()
    save(page)
    expect(summary(page).get_by_role("heading", name="Your Current Preferences")).to_be_visible()
    expect(summary(page).get_by_role("definition")).to_have_text(["Indica, Hybrid", "Beginner", "Not set", "7/10"])
    expect(summary(page).get_by_role("term")).to_have_text(["Types", "Experience", "Tolerance", "Intensity"])
    expect(summary(page).get_by_role("listitem")).to_have_text([*effects[:8], "+3 more"])
    stored = api(me).get("/api/preferences").json()
    assert (stored["experienceLevel"], stored["toleranceLevel"], stored["desiredIntensity"]) == ("beginner", None, 7)
    assert (stored["preferredEffects"], stored["avoidEffects"], stored["medicalNeeds"]) == (effects, ["Couch Lock"], [])
    page.reload()
    expect(page.get_by_label("Experience level")).to_have_value("beginner")
    expect(slider).to_have_value("7")
    expect(box(page, "Preferred effects", "Hungry")).to_be_checked()
    expect(box(page, "Preferred effects", "Giggly")).not_to_be_checked()


def test_the_summary_says_not_set(page: Page) -> None:
    open_preferences(page, new_email())
    save(page)
    expect(summary(page).get_by_role("definition")).to_have_text(["Not set", "Not set", "Not set", "5/10"])
    expect(summary(page).get_by_text("Not set")).to_have_count(4)
    expect(summary(page).get_by_text("more")).to_have_count(0)


def test_the_button_says_that_it_is_saving(page: Page) -> None:
    socket = SocketProxy(page)
    open_preferences(page, new_email())
    socket.hold_from = 'is_saving_rx_state_":false'
    save_button(page).click()
    expect(save_button(page)).to_have_text("Saving...")
    expect(save_button(page)).to_be_disabled()
    socket.wait_until_holding()
    socket.let_through()
    expect(save_button(page)).to_have_text("Save Preferences")
    expect(toast(page)).to_contain_text("Preferences saved!")


def test_medical_needs_require_consent_and_are_deleted_without_it(page: Page, api: Api) -> None:
    me = new_email()
    open_preferences(page, me)
    consent = page.get_by_role("checkbox", name=CONSENT)
    need = box(page, "Medical needs", "PTSD")
    expect(need).to_be_disabled()
    consent.check()
    need.check()
    save(page)
    stored = api(me).get("/api/preferences").json()
    assert (stored["medicalNeeds"], stored["medicalConsent"]) == (["PTSD"], True)
    assert stored["medicalConsentAt"]
    page.reload()
    expect(need).to_be_checked()
    expect(consent).to_be_checked()
    consent.uncheck()
    expect(need).to_be_disabled()
    save(page)
    expect(need).not_to_be_checked()
    stored = api(me).get("/api/preferences").json()
    assert (stored["medicalNeeds"], stored["medicalConsent"], stored["medicalConsentAt"]) == ([], False, None)
    consent.check()
    expect(need).to_be_enabled()
    expect(need).not_to_be_checked()


def test_a_failed_save_is_reported_and_keeps_the_form(page: Page) -> None:
    open_preferences(page, new_email())
    page.get_by_label("Tolerance level").select_option("high")
    box(page, "Preferred flavors", "Mint").check()
    page.get_by_role("slider", name="Desired intensity").press("End")
    page.evaluate(
        "() => { document.querySelector('[name=experienceLevel] option:last-child').value = 'wizard';"
        " document.querySelector('[name=experienceLevel]').selectedIndex = 3; }"
    )
    save_button(page).click()
    expect(toast(page)).to_contain_text("Failed to save preferences")
    expect(toast(page)).to_contain_text("Please try again")
    level = page.get_by_label("Experience level")
    expect(level).to_have_accessible_description("Please choose one of: beginner, intermediate, advanced")
    expect(level).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Tolerance level")).to_have_value("high")
    expect(box(page, "Preferred flavors", "Mint")).to_be_checked()
    expect(page.get_by_role("slider", name="Desired intensity")).to_have_value("10")
    expect(save_button(page)).to_be_enabled()
    level.select_option("beginner")
    save(page)
    expect(level).to_have_attribute("aria-invalid", "false")
    expect(summary(page).get_by_role("definition")).to_have_text(["Not set", "Beginner", "High", "10/10"])


def test_a_reconnect_keeps_what_was_filled_in(page: Page) -> None:
    socket = SocketProxy(page)
    open_preferences(page, new_email())
    page.get_by_label("Tolerance level").select_option("high")
    box(page, "Preferred flavors", "Mint").check()
    page.get_by_role("checkbox", name=CONSENT).check()
    expect(box(page, "Medical needs", "Stress")).to_be_enabled()
    with page.expect_websocket():
        socket.cut()
    save(page)
    expect(page.get_by_label("Tolerance level")).to_have_value("high")
    expect(box(page, "Preferred flavors", "Mint")).to_be_checked()
    expect(page.get_by_role("checkbox", name=CONSENT)).to_be_checked()
    expect(summary(page).get_by_role("definition")).to_have_text(["Not set", "Not set", "High", "5/10"])


def test_failed_loading_is_reported_and_can_be_retried(page: Page, store: Store) -> None:
    sign_in_as_adult(page, new_email())
    run_sql(store, "ALTER TABLE preferences RENAME TO preferences_away")
    try:
        page.goto("/preferences")
        expect(page.get_by_role("alert").filter(has_text="Your preferences could not be loaded.")).to_be_visible()
    finally:
        run_sql(store, "ALTER TABLE preferences_away RENAME TO preferences")
    page.get_by_role("button", name="Try again").click()
    expect(save_button(page)).to_be_visible()


def test_a_guest_is_asked_to_sign_in(page: Page) -> None:
    page.goto("/preferences")
    expect(page.get_by_role("heading", name="Please Sign In", level=1)).to_be_visible()
    expect(page.get_by_text("You need to sign in to set your preferences.").first).to_be_visible()


def test_the_account_links_to_the_preferences(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to="/account?tab=settings")
    page.get_by_text("Update Preferences").click()
    expect(page.get_by_role("heading", name="Preferences", level=1)).to_be_visible()
    expect(save_button(page)).to_be_visible()


def test_the_catalogue_shows_picks_and_why(page: Page, api: Api) -> None:
    me = new_email()
    sign_in_as_adult(page, me)
    expect_found(page, "66 products found")
    expect(picks(page)).to_have_count(0)
    page.goto("/preferences")
    box(page, "Preferred effects", "Relaxed").check()
    box(page, "Preferred flavors", "Citrus").check()
    box(page, "Effects to avoid", "Fatigue").check()
    save(page)
    page.get_by_role("link", name="Stillroom").first.click()
    items = picks(page).get_by_role("listitem")
    expect(picks(page).get_by_role("heading", name="Picked for you")).to_be_visible()
    expect(items).to_have_count(8)
    answer = api(me).get("/api/recommendations").json()
    for item, pick in zip(items.all(), answer, strict=True):
        expect(item).to_contain_text(pick["product"]["name"])
        expect(item).to_contain_text(pick["why"])
        assert "Sleepy" not in pick["product"]["effects"]  # may cause fatigue (RULE recommendation-exclusions)
    items.first.get_by_role("link").click()
    expect(page.get_by_role("heading", name=answer[0]["product"]["name"], level=1)).to_be_visible()


def test_picks_are_on_the_unfiltered_first_page_and_loaded_once(page: Page, store: Store) -> None:
    me = new_email()
    sign_in_as_adult(page, me)
    save_by_api(page, {"preferredTypes": ["Indica"]}, store)
    counter = PicksCounter(page)
    page.goto("/")
    expect(picks(page)).to_be_visible()
    wait_for_requests(page)
    first_load = counter.count
    assert first_load >= 1
    page.get_by_role("button", name="THC Flower", exact=True).click()
    expect_found(page, "22 products found")
    expect(page).to_have_url(re.compile("category="))
    expect(picks(page)).to_have_count(0)
    wait_for_requests(page)
    page.get_by_role("button", name="All Products", exact=True).click()
    expect_found(page, "66 products found")
    expect(page).to_have_url(re.compile("/$"))
    expect(picks(page)).to_be_visible()
    wait_for_requests(page)
    page.get_by_role("button", name="Page 2").or_(page.get_by_role("link", name="Page 2")).first.click()
    expect(picks(page)).to_have_count(0)
    wait_for_requests(page)
    assert counter.count == first_load


def save_by_api(page: Page, preferences: dict[str, object], store: Store) -> None:
    answer = page.request.post("/api/preferences", data=preferences, headers={"Origin": store.url})
    assert answer.ok, answer.text()


class PicksCounter:
    """Counts the messages in which the server sent picks."""

    def __init__(self, page: Page) -> None:
        self.count = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._receive))

    def _receive(self, frame: str | bytes) -> None:
        if '"picks' in str(frame):
            self.count += 1


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_preferences_page_is_accessible(new_page: Callable[..., Page], store: Store, size: tuple[int, int]) -> None:
    page = new_page(size)
    sign_in_as_adult(page, new_email())
    save_by_api(
        page, {"preferredTypes": ["Hybrid"], "preferredEffects": ["Happy"], "avoidEffects": ["Paranoia"]}, store
    )
    for path, section in (("/preferences", summary), ("/", picks)):
        page.goto(path)
        expect(section(page)).to_be_visible()
        expect_accessible(page, path)
