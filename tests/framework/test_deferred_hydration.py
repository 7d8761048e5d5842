"""Contract with React Router: how a built page asks for its scripts, which a first visit fetches last."""

import re
from pathlib import Path

import pytest

from marketplace_app.framework.deferred_hydration import DeferredHydrationPlugin
from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.web.first_sign import AT_FIRST_SIGN

SCRIPT = '<link rel="modulepreload" href="/assets/root.js"/>'
START = """<script type="module" async="">import "/assets/manifest.js";
import * as route0 from "/assets/root.js";
  window.__reactRouterRouteModules = {"root":route0};

import("/assets/entry.client.js");</script>"""


def test_scripts_wait_in_every_built_page(tmp_path: Path) -> None:
    pages = [tmp_path / "index.html", tmp_path / "checkout" / "index.html"]
    for page in pages:
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"<head>{SCRIPT}{SCRIPT}<link rel='stylesheet' href='/a.css'></head>{START}")
    DeferredHydrationPlugin(waits={"index.html": AT_FIRST_SIGN}).post_build(static_dir=tmp_path)
    assert ["pointerdown" in page.read_text() for page in pages] == [True, False]  # only guests of the landing page
    for page in pages:
        built = page.read_text()
        assert built.count('<link data-rel="modulepreload" href=') == 2
        assert "modulepreload" not in built.replace('data-rel="modulepreload"', "")
        assert built.index("requestAnimationFrame") < built.index('await import("/assets/manifest.js");')
        assert 'const route0 = await import("/assets/root.js");' in built
        assert built.endswith('import("/assets/entry.client.js");</script>')


@pytest.mark.parametrize("broken", [START, f"<head>{SCRIPT}</head><script type='module'></script>".replace("'", '"')])
def test_a_page_of_another_form_stops_the_build(tmp_path: Path, broken: str) -> None:
    (tmp_path / "index.html").write_text(broken)
    with pytest.raises(NothingToPatch):
        DeferredHydrationPlugin(waits={}).post_build(static_dir=tmp_path)


def test_a_script_for_a_page_that_is_none_stops_the_build(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(SCRIPT + START)
    with pytest.raises(NothingToPatch, match=r"gone\.html"):
        DeferredHydrationPlugin(waits={"gone.html": ""}).post_build(static_dir=tmp_path)


def test_a_file_that_is_no_page_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(SCRIPT + START)
    (tmp_path / "proof.html").write_text("of who owns this address")
    DeferredHydrationPlugin(waits={}).post_build(static_dir=tmp_path)
    assert (tmp_path / "proof.html").read_text() == "of who owns this address"


@pytest.mark.browser
def test_every_page_that_is_really_built_defers_its_scripts(built: Path) -> None:
    for page in built.rglob("*.html"):
        text = page.read_text()
        if 'type="module"' in text:
            assert '<link rel="modulepreload"' not in text
            assert '<link data-rel="modulepreload"' in text
            start = re.findall(r'<script type="module" async="">(.*?)</script>', text, re.S)
            assert len(start) == 1, page
            assert start[0].startswith("if (!document.hidden) await new Promise")
            assert not re.search(r"^import ", start[0], re.M), page
            assert ("const isFirstVisit" in start[0]) == (page == built / "index.html")
