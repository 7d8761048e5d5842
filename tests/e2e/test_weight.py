"""The size of a first visit: on a slow connection every kilobyte counts. Times are measured by `make bench`."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import PHONE, Store
from tools.bench.weights import BUDGETS, Visit, first_visit, set_session_cookies

pytestmark = pytest.mark.browser


def assert_within_budgets(visit: Visit) -> None:
    assert visit.kilobytes["script"] > 0  # otherwise nothing was measured
    over = {kind: size for kind, size in visit.kilobytes.items() if size > BUDGETS[kind]}
    assert over == {}


def test_a_first_visit_of_the_landing_page_is_light(new_page: Callable[..., Page], store: Store) -> None:
    assert_within_budgets(first_visit(new_page(PHONE), store.url, "main h1"))


def test_a_first_visit_of_the_catalogue_is_light(new_page: Callable[..., Page], store: Store) -> None:
    page = new_page(PHONE)
    set_session_cookies(page, store.url, "light@example.org")
    assert_within_budgets(first_visit(page, store.url, "main li h2"))


@pytest.mark.parametrize("path", ["/product/1", "/account", "/account?tab=orders", "/preferences", "/support", "/faq"])
def test_a_first_visit_of_a_members_page_is_light(new_page: Callable[..., Page], store: Store, path: str) -> None:
    page = new_page(PHONE)
    set_session_cookies(page, store.url, "light@example.org")
    assert_within_budgets(first_visit(page, store.url + path, "main h1"))


def test_the_film_is_fetched_after_the_first_paint(new_page: Callable[..., Page], store: Store) -> None:
    visit = first_visit(new_page(), store.url, "main h1")
    assert visit.film_asked_at is None or visit.film_asked_at > visit.painted_at
