import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_the_api_is_documented_for_people(page: Page) -> None:
    page.goto("/api/docs")
    # Swagger UI shows nothing until it has parsed and resolved the whole description, which the first request makes.
    expect(page.get_by_role("heading", name="Stillroom API")).to_be_visible(timeout=20_000)
    page.locator("#operations-tag-Orders").click()
    expect(page.get_by_text("/api/orders/quote")).to_be_visible(timeout=20_000)
