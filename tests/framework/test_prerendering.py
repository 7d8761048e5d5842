"""Contract with React Router and Reflex: pages of dynamic routes that are built with a placeholder."""

from pathlib import Path

import pytest
from reflex.utils import frontend_skeleton
from reflex_base.config import get_config

from marketplace_app.framework import built_pages
from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.framework.prerendering import PrerenderingPlugin


def test_the_paths_are_added_to_those_of_static_routes() -> None:
    theirs = frontend_skeleton._update_react_router_config(get_config(), prerender_routes=True)
    ours = PrerenderingPlugin("/product").with_routes(theirs)
    added = '"prerender": ({ getStaticPaths }) => [...getStaticPaths(), "/product/_"]'
    assert ours.replace(added, '"prerender": true') == theirs != ours


def test_under_make_dev_nothing_is_changed() -> None:
    theirs = frontend_skeleton._update_react_router_config(get_config(), prerender_routes=False)
    assert PrerenderingPlugin("/product").with_routes(theirs) == theirs


def test_a_page_that_was_not_built_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(NothingToPatch):
        PrerenderingPlugin("/product").post_build(static_dir=tmp_path)


def test_the_page_answers_numbers_of_up_to_nine_digits_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(built_pages, "FOLDER", tmp_path)
    page, shell = tmp_path / "product" / "_" / "index.html", tmp_path / built_pages.DYNAMIC
    page.parent.mkdir(parents=True)
    for file in (page, shell):
        file.touch()
    for path in ("/product/1", "/product/12/", "/product/123456789"):
        assert built_pages.page_file(path) == page
    for path in ("/product/abc", "/product/1/2", "/product/1234567890", "//product/1", "/orders/1", "/product"):
        assert built_pages.page_file(path) == shell


@pytest.mark.browser
def test_the_built_page_has_its_content_and_no_metadata(built: Path) -> None:
    page = (built / "product" / "_" / "index.html").read_text()
    assert "Back to Products" in page
    assert 'data-first-picture="0"></span>' in page
    assert not any(tag in page for tag in ("<title>", 'name="description"', 'property="og:image"'))
