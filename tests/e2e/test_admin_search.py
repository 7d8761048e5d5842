"""The admin page of search: synonyms can be changed, removed and restored; searches without results are listed."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from marketplace_app import clock
from marketplace_app.messages import PAGE_FAILED
from tests.e2e.acts import OWNER, SocketProxy, run_sql, sign_in_by_request, toast
from tests.e2e.conftest import BOTH_SIZES, Api, Store
from tests.e2e.test_accessibility import ALL_FIT, expect_accessible
from tests.e2e.test_admin_settings import make_staff

pytestmark = [pytest.mark.browser, pytest.mark.staff]

SYNONYMS = "/api/admin/search/synonyms"
LONG = "wintergreen-and-elderflower-flavored-bud"


@pytest.fixture
def word() -> str:
    """Only letters: searches with five digits or more are never recorded."""
    return "w" + "".join(chr(ord("a") + int(digit, 16)) for digit in uuid4().hex[:8])


def open_search(page: Page) -> Locator:
    sign_in_by_request(page, OWNER)
    page.goto("/admin/search")
    table = page.get_by_role("table", name="Synonyms")
    expect(table).to_be_visible()
    return table


def record_miss(store: Store, words: str, count: int = 3) -> None:
    for days in (1, 2):
        day = (clock.now().date() - timedelta(days=days)).isoformat()
        run_sql(
            store,
            "INSERT INTO search_misses (day, words, count) VALUES (:day, :words, :count)",
            day=day,
            words=words,
            count=count,
        )


def test_a_reconnect_keeps_what_was_typed(page: Page, store: Store, word: str) -> None:
    socket = SocketProxy(page)
    open_search(page)
    form = page.get_by_role("form", name="Add a synonym")
    form.get_by_label("Also finds").fill("Pre-Roll")
    record_miss(store, word)  # shown once the page has loaded again
    with page.expect_websocket():
        socket.cut()
    expect(page.get_by_text(word).first).to_be_visible()
    expect(form.get_by_label("Also finds")).to_have_value("Pre-Roll")


def test_a_page_that_could_not_be_loaded_can_be_tried_again(page: Page, store: Store) -> None:
    """From another page, so that nothing of this one has been shown yet."""
    sign_in_by_request(page, OWNER)
    page.goto("/admin/legal")
    link = page.get_by_role("navigation", name="Admin").get_by_role("link", name="Search")
    expect(link).to_be_visible()
    run_sql(store, "ALTER TABLE search_misses RENAME TO search_misses_away")
    try:
        link.click()
        expect(page.get_by_role("alert").filter(has_text=PAGE_FAILED)).to_be_visible()
        expect(page.get_by_role("heading", name="Search", level=1)).to_be_visible()
        expect(toast(page)).to_contain_text("Something went wrong. Please try again.")
        expect_accessible(page, "a page that could not be loaded")
    finally:
        run_sql(store, "ALTER TABLE search_misses_away RENAME TO search_misses")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("table", name="Synonyms")).to_be_visible()
    expect(page.get_by_text(PAGE_FAILED)).to_have_count(0)


def test_a_synonym_is_added_changed_removed_and_restored(page: Page, word: str) -> None:
    table = open_search(page)
    form = page.get_by_role("form", name="Add a synonym")
    form.get_by_label("Search for").fill(word)
    form.get_by_label("Also finds").fill("Pre-Roll")
    page.keyboard.press("Enter")
    expect(toast(page)).to_contain_text("Synonym added")
    expect(form.get_by_label("Search for")).to_have_value("")
    row = table.get_by_role("row").filter(has_text=word)
    expect(row).to_contain_text("Pre-Roll")

    row.get_by_role("button", name=f"Edit {word} → Pre-Roll").click()
    edit = page.get_by_role("form", name="Change the synonym")
    expect(edit.get_by_label("Search for")).to_be_focused()
    edit.get_by_label("Also finds").fill("flower")
    edit.get_by_role("button", name="Save").click()
    expect(toast(page)).to_contain_text("Synonym changed")
    expect(row.get_by_role("button", name=f"Edit {word} → flower")).to_be_focused()

    row.get_by_role("button", name=f"Remove {word} → flower").click()
    expect(row).to_have_count(0)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    page.keyboard.press("Enter")
    expect(row).to_contain_text("flower")
    expect(undo).to_be_hidden()


def test_errors_are_beside_their_fields(page: Page, word: str) -> None:
    table = open_search(page)
    form = page.get_by_role("form", name="Add a synonym")
    form.get_by_label("Search for").fill(word)
    form.get_by_label("Also finds").fill(word.upper())
    form.get_by_role("button", name="Add Synonym").click()
    expect(form.get_by_text("This is the same word as the term.")).to_be_visible()
    expect(form.get_by_label("Search for")).to_have_value(word)
    expect(table.get_by_role("row").filter(has_text=word)).to_have_count(0)


def test_a_search_without_results_becomes_a_synonym(page: Page, store: Store, word: str) -> None:
    record_miss(store, word, 1234)
    open_search(page)
    row = page.get_by_role("table", name="Searches that found nothing").get_by_role("row").filter(has_text=word)
    expect(row).to_contain_text("2,468")
    row.get_by_role("button", name=f"Add a synonym for {word}").click()
    form = page.get_by_role("form", name="Add a synonym")
    expect(form.get_by_label("Search for")).to_have_value(word)
    expect(form.get_by_label("Also finds")).to_be_focused()
    page.keyboard.type("flower")
    page.keyboard.press("Enter")
    expect(toast(page)).to_contain_text("Synonym added")
    expect(row).to_have_count(0)


def test_a_row_that_a_colleague_changed_meanwhile_is_not_overwritten(page: Page, api: Api, word: str) -> None:
    made = api(OWNER).post(SYNONYMS, json={"term": word, "replacement": "flower"}).json()
    table = open_search(page)
    table.get_by_role("button", name=f"Edit {word} → flower").click()
    api(OWNER).put(f"{SYNONYMS}/{made['id']}", json={"term": word, "replacement": "edible"}).raise_for_status()
    edit = page.get_by_role("form", name="Change the synonym")
    edit.get_by_label("Also finds").fill("vape")
    edit.get_by_role("button", name="Save").click()
    expect(toast(page)).to_contain_text("Someone else has changed this synonym.")
    edit.get_by_role("button", name="Cancel").click()
    expect(table.get_by_role("button", name=f"Edit {word} → edible")).to_be_focused()


def test_a_viewer_changes_nothing(page: Page, api: Api) -> None:
    sign_in_by_request(page, make_staff(api, "viewer"))
    page.goto("/admin/search")
    expect(page.get_by_role("table", name="Synonyms")).to_be_visible()
    expect(page.get_by_role("form")).to_have_count(0)
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)


@pytest.mark.parametrize(
    "size",
    [*BOTH_SIZES, *(pytest.param(size, marks=pytest.mark.sizes) for size in ((1024, 768), (768, 1024)))],
)
def test_every_state_is_accessible_and_fits(
    new_page: Callable[..., Page], api: Api, store: Store, word: str, size: tuple[int, int]
) -> None:
    record_miss(store, f"{word} {'wintergreen elderflower ' * 2}".strip())
    long = {"term": f"{word[:4]}{LONG}"[:40], "replacement": f"{word}{LONG}"[:40]}
    api(OWNER).post(SYNONYMS, json=long).raise_for_status()
    page = new_page(size)
    table = open_search(page)
    expect_accessible(page, "synonyms")
    assert page.evaluate(ALL_FIT, "[role=region], [role=region] > div"), "a table is wider than its place"
    row = table.get_by_role("row").filter(has_text=long["term"])
    row.get_by_role("button", name="Edit").click()
    expect(page.get_by_role("form", name="Change the synonym")).to_be_visible()
    expect_accessible(page, "a synonym that is changed")
    page.get_by_role("button", name="Cancel").click()
    row.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect_accessible(page, "a synonym that was removed")
    assert page.evaluate(ALL_FIT, "[role=region], [role=region] > div"), "a table is wider than its place"
