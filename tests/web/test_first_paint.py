"""What a first visit fetches first."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from marketplace_app.web.first_paint import FirstPaintPlugin, StillFirst
from tests.web.test_product_pages import nothing_below

SCRIPT = '<link rel="modulepreload" href="/assets/root.js"/>'
START = """<script type="module" async="">import "/assets/manifest.js";
import * as route0 from "/assets/root.js";
  window.__reactRouterRouteModules = {"root":route0};

import("/assets/entry.client.js");</script>"""


def hint(path: str = "/", cookies: str = "") -> str | None:
    return TestClient(StillFirst(nothing_below)).get(path, headers={"cookie": cookies}).headers.get("link")


@pytest.mark.parametrize("cookies", ["", "theme=dark", "signed_in_once=1", "=;;\x7f"])
def test_guests_are_told_of_the_still_before_its_style_has_come(cookies: str) -> None:
    assert hint(cookies=cookies) == (
        '</hero/hero-poster.avif>; rel="preload"; as="image"; type="image/avif"; fetchpriority="high"'
    )


def test_members_and_other_pages_do_not_fetch_it() -> None:
    assert hint(cookies="session=abc; signed_in=1") is None
    assert hint("/checkout") is None


def test_the_still_that_is_announced_exists() -> None:
    assert Path("assets/hero/hero-poster.avif").is_file()


def test_scripts_wait_in_every_built_page(tmp_path: Path) -> None:
    pages = [tmp_path / "index.html", tmp_path / "checkout" / "index.html"]
    for page in pages:
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"<head>{SCRIPT}{SCRIPT}<link rel='stylesheet' href='/a.css'></head>{START}")
    FirstPaintPlugin().post_build(static_dir=tmp_path)
    for page in pages:
        built = page.read_text()
        assert built.count('<link data-rel="modulepreload" href=') == 2
        assert "modulepreload" not in built.replace('data-rel="modulepreload"', "")
        assert built.index("requestAnimationFrame") < built.index('await import("/assets/manifest.js");')
        assert 'const route0 = await import("/assets/root.js");' in built
        assert built.endswith('import("/assets/entry.client.js");</script>')
