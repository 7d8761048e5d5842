"""Contract with React Router: how a built page asks for its scripts, which a first visit fetches last."""

import re
from pathlib import Path

import pytest

from marketplace_app.framework.deferred_hydration import EARLY_SCRIPTS, DeferredHydrationPlugin
from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.web.before_hydration import CONTROLS_WITHOUT_REACT

SCRIPT = '<link rel="modulepreload" href="/assets/root.js"/>'
START = """<script type="module" async="">import "/assets/manifest.js";
import * as route0 from "/assets/root.js";
  window.__reactRouterRouteModules = {"root":route0};

import("/assets/entry.client.js");</script>"""


def plugin() -> DeferredHydrationPlugin:
    return DeferredHydrationPlugin(handled_elsewhere="dialog, [data-copy]")


def test_scripts_wait_in_every_built_page(tmp_path: Path) -> None:
    pages = [tmp_path / "index.html", tmp_path / "checkout" / "index.html"]
    for page in pages:
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"<html><head>{SCRIPT}{SCRIPT}<link rel='stylesheet' href='/a.css'></head>{START}")
    plugin().post_build(static_dir=tmp_path)
    for page in pages:
        built = page.read_text()
        assert built.count('<link data-rel="modulepreload" href=') == 2
        assert "modulepreload" not in built.replace('data-rel="modulepreload"', "")
        assert built.startswith('<html data-unpainted=""><head>')
        assert built.index("requestAnimationFrame") < built.index("delete document.documentElement.dataset.unpainted")
        assert built.index("requestAnimationFrame") < built.index('await import("/assets/manifest.js");')
        assert 'const route0 = await import("/assets/root.js");' in built
        assert built.endswith('import("/assets/entry.client.js");</script>')


NO_PRELOAD, NO_START, NO_HTML = f"<html>{START}", f'<html>{SCRIPT}<script type="module"></script>', SCRIPT + START


@pytest.mark.parametrize("broken", [NO_PRELOAD, NO_START, NO_HTML])
def test_a_page_of_another_form_stops_the_build(tmp_path: Path, broken: str) -> None:
    (tmp_path / "index.html").write_text(broken)
    with pytest.raises(NothingToPatch):
        plugin().post_build(static_dir=tmp_path)


def test_a_file_that_is_not_a_page_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(f"<html>{SCRIPT}{START}")
    (tmp_path / "proof.html").write_text("of who owns this address")
    plugin().post_build(static_dir=tmp_path)
    assert (tmp_path / "proof.html").read_text() == "of who owns this address"


def test_clicks_that_work_without_react_are_not_replayed() -> None:
    [(file, script)] = plugin().get_static_assets()
    assert file == Path("public") / EARLY_SCRIPTS.strip("/")
    assert 'const HANDLED_ELSEWHERE = "dialog, [data-copy]";' in str(script)


def test_early_scripts_share_one_file(tmp_path: Path) -> None:
    other = tmp_path / "other.js"
    other.write_text("/* the other */")
    [(_, script)] = DeferredHydrationPlugin(handled_elsewhere="dialog", scripts=[other]).get_static_assets()
    assert str(script).endswith("})();\n\n/* the other */")


@pytest.mark.browser
def test_every_page_loads_event_replay_and_react_marks_hydrated_elements(built: Path) -> None:
    replay = (built / EARLY_SCRIPTS.strip("/")).read_text()
    assert CONTROLS_WITHOUT_REACT in replay
    assert "__react" in replay
    marks = {mark for file in (built / "assets").glob("*.js") for mark in re.findall(r"__react\w+\$", file.read_text())}
    assert {"__reactFiber$", "__reactProps$"} <= marks
    for page in built.rglob("*.html"):
        if 'type="module"' in page.read_text():
            assert f'<script defer="" src="{EARLY_SCRIPTS}">' in page.read_text()


@pytest.mark.browser
def test_every_page_that_is_really_built_defers_its_scripts(built: Path) -> None:
    texts = [page.read_text() for page in built.rglob("*.html")]
    with_scripts = [text for text in texts if 'type="module"' in text]
    assert with_scripts
    for text in with_scripts:
        assert '<link rel="modulepreload"' not in text
        assert '<link data-rel="modulepreload"' in text
        [start] = re.findall(r'<script type="module" async="">(.*?)</script>', text, re.S)
        assert start.startswith("if (!document.hidden) await new Promise")
        assert not re.search(r"^import ", start, re.M)
