"""Contract with React Router and Reflex: what starts a built page, all of which a static page lacks."""

from pathlib import Path

import pytest

from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.framework.static_pages import StaticPagesPlugin, without_runtime

HEAD = (
    '<link rel="modulepreload" href="/assets/root.js"/><script>theme();</script>'
    '<script defer="" src="/early.js"></script><script async="" src="/own.js"></script>'
)
START = '<script>window.__reactRouterContext = {};</script><script type="module" async="">import "/a.js";</script>'
PAGE = f"<head>{HEAD}</head><body><h1>Hello</h1>{START}</body>"


def test_only_its_own_script_and_the_inline_scripts_of_the_head_are_left(tmp_path: Path) -> None:
    page = tmp_path / "own" / "index.html"
    page.parent.mkdir()
    page.write_text(PAGE)
    StaticPagesPlugin({"/own": "/own.js"}).post_build(static_dir=tmp_path)
    assert page.read_text() == (
        '<head><script>theme();</script><script async="" src="/own.js"></script></head><body><h1>Hello</h1></body>'
    )


@pytest.mark.parametrize("gone", ['<script async="" src="/own.js"></script>', START, '<link rel="modulepreload"'])
def test_a_page_of_another_form_stops_the_build(gone: str) -> None:
    with pytest.raises(NothingToPatch):
        without_runtime(PAGE.replace(gone, "<p"), "/own.js")


def test_a_page_that_was_not_built_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(NothingToPatch):
        StaticPagesPlugin({"/own": "/own.js"}).post_build(static_dir=tmp_path)


@pytest.mark.browser
def test_the_built_page_of_drivers_starts_nothing_of_reflex(built: Path) -> None:
    page = (built / "drive" / "index.html").read_text()
    assert "Loading your run..." in page
    assert not any(text in page for text in ("modulepreload", "__reactRouter", 'type="module"', "/early.js"))
