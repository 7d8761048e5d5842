"""Which pages have no screenshot."""

import re
from collections.abc import Collection

from marketplace_app.pages import PAGES

ROUTES = {page.route: re.compile(re.sub(r"\[\w+\]", "[^/]+", page.route)) for page in PAGES}


def routes_without(paths: Collection[str]) -> list[str]:
    """The routes of pages that none of these paths shows.

    A path that is itself a route, such as `/admin/products/import`, does not count for a route whose parameter would
    match it, such as `/admin/products/[product_id]`.
    """
    return [route for route in ROUTES if route not in {_route_of(path) for path in paths}]


def _route_of(path: str) -> str:
    if path in ROUTES:
        return path
    return next((route for route, pattern in ROUTES.items() if pattern.fullmatch(path)), "404")
