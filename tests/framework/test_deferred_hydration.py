"""What a first visit fetches first."""

from pathlib import Path

from marketplace_app.framework.deferred_hydration import DeferredHydrationPlugin
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
