"""The site map."""

import re
from collections import Counter
from pathlib import Path

from marketplace_app import pages
from marketplace_app.api.site import PRIVATE_PATHS, PUBLIC_PATHS
from marketplace_app.pages import DESCRIPTION, PAGES, plain, site_map
from marketplace_app.schemas.settings import DEFAULTS, SETTINGS

NOT_LINKED = {"/admin/invitations", "/invite", "/test", "/welcome", "404"}
"""Opened by links in mails, or by those who know the address."""
IN_NEITHER_LIST = {"/product", "/test", "404"}
"""Products have entries of their own in `sitemap.xml`."""


def test_the_gallery_exists_in_development_only() -> None:
    assert "/dev/gallery" in {page.route for page in site_map(is_development=True)}
    assert not any(page.route.startswith("/dev") for page in site_map(is_development=False))


def test_no_two_pages_share_a_route() -> None:
    counts = Counter(page.route for page in site_map(is_development=True))
    shared = {route for route, count in counts.items() if count > 1}
    assert not shared, f"Several pages have these routes, in PAGES, PLAIN_PAGES or the legal pages: {shared}"


def test_every_page_is_linked() -> None:
    declared_in = {Path(module.__file__).relative_to(Path.cwd()) for module in (pages, plain)}
    modules = {path for folder in ("components", "pages") for path in Path("marketplace_app", folder).rglob("*.py")}
    sources = "".join(path.read_text() for path in modules - declared_in)
    routes = {page.route for page in PAGES if "[" not in page.route} - NOT_LINKED
    unlinked = {route for route in routes if not re.search(rf'"{route}["?#]', sources)}
    assert not unlinked, (
        f"Link to these, for example in components/shell/footer.py, or list them in NOT_LINKED: {unlinked}"
    )


def test_search_engines_are_told_of_every_page_or_kept_from_it() -> None:
    routes = {page.route.partition("/[")[0] or "/" for page in PAGES} - IN_NEITHER_LIST
    unlisted = {route for route in routes - set(PUBLIC_PATHS) if not f"{route}/".startswith(PRIVATE_PATHS)}
    assert not unlisted, f"Put these into PUBLIC_PATHS or PRIVATE_PATHS of api/site.py: {unlisted}"


def test_the_description_for_search_engines_states_no_shop_setting() -> None:
    """Owners change them; the description stays as it was when the pages were built."""
    assert not [setting.name for setting in SETTINGS if setting.show(DEFAULTS[setting.name]) in DESCRIPTION]


def test_every_page_has_a_row_in_the_documentation() -> None:
    rule = Path("docs/product/interface.md").read_text().partition("### RULE screens")[2].partition("###")[0]
    listed = {re.sub(r"\{\w+\}", "{}", path) for path in re.findall(r"`(/[^`?]*)", rule)}
    # '404' is the row 'any other'.
    expected = {re.sub(r"\[\w+\]", "{}", page.route): page.route for page in PAGES if page.route != "404"}
    missing = {route for path, route in expected.items() if path not in listed}
    assert not missing, f"Give these a row in docs/product/interface.md, RULE screens: {missing}"
    gone = listed - expected.keys() - {"/dev/gallery"}
    assert not gone, f"Remove from docs/product/interface.md, RULE screens, what is no longer a page: {gone}"
