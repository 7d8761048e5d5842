"""The site map."""

from marketplace_app.pages import site_map


def test_the_gallery_exists_in_development_only() -> None:
    assert "/dev/gallery" in {page.route for page in site_map(is_development=True)}
    assert not any(page.route.startswith("/dev") for page in site_map(is_development=False))


def test_no_two_pages_share_a_route() -> None:
    routes = [page.route for page in site_map(is_development=True)]
    assert len(routes) == len(set(routes))
