"""What makes the store an app: its manifest, the page for when there is no line, and the build's mark on its worker.

Files like the other pages, written when they are built; the worker itself is `assets/sw.js`.
"""

import hashlib
from html import escape
from pathlib import Path
from typing import Any

import orjson
import reflex as rx

from marketplace_app.config import get_settings
from marketplace_app.framework import built_pages
from marketplace_app.framework.patching import replace_first
from marketplace_app.theme.tokens import DARK, FONTS, LIGHT

ASSETS = Path(__file__).parents[2] / "assets"
ICONS = (("/icon-192.png", 192, "any"), ("/icon-512.png", 512, "any"), ("/icon-maskable-512.png", 512, "maskable"))
COLOURS = ("paper", "ink", "ink-2", "brand", "brand-hover", "on-brand", "focus")


class PwaPlugin(rx.plugins.Plugin):
    def post_build(self, **context: Any) -> None:
        built = Path(context["static_dir"])
        page = offline_page()
        (built / "manifest.webmanifest").write_bytes(manifest())
        (built / "offline").mkdir(exist_ok=True)
        (built / "offline" / "index.html").write_text(page)
        worker = built / "sw.js"
        worker.write_text(replace_first(worker.read_text(), 'BUILD"', f'{_mark(built, page)}"'))


def manifest() -> bytes:
    name = get_settings().store_name
    described = {
        "name": name,
        "short_name": name,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "lang": "en",
        "background_color": LIGHT["paper"],
        "theme_color": LIGHT["paper"],
        "categories": ["shopping"],
        "icons": [
            {"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for source, size, purpose in ICONS
        ],
    }
    return orjson.dumps(described)


def offline_page() -> str:
    """All of it is in it: it stands in the place of any address, and goes back there when the store answers."""
    name = escape(get_settings().store_name)
    mark = (ASSETS / "mark.svg").read_text().replace(LIGHT["brand"], "var(--brand)")
    mark = mark.replace(LIGHT["paper"], "var(--paper)").replace("<svg", '<svg aria-hidden="true"', 1)
    return _OFFLINE.format(
        name=name,
        mark=mark,
        light=_colours(LIGHT),
        dark=_colours(LIGHT | DARK),
        serif=FONTS["serif"],
        sans=FONTS["sans"],
        again=_AGAIN,
        theme=(ASSETS / "theme.js").read_text(),
    )


def _colours(palette: dict[str, str]) -> str:
    return " ".join(f"--{name}: {palette[name]};" for name in COLOURS)


def _mark(built: Path, page: str) -> str:
    """Another one for every build that differs: the browser then takes the new worker, which forgets the old files."""
    return hashlib.sha256("\n".join([*built_pages.asset_names(built), page]).encode()).hexdigest()[:12]


_AGAIN = """
const again = () => fetch("/healthz").then((answer) => answer.ok && location.reload(), () => {});
addEventListener("online", again);
setInterval(again, 5000);
"""

_OFFLINE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>No connection · {name}</title>
<script>{theme}{again}</script>
<style>
:root {{ color-scheme: light; {light} }}
[data-theme="dark"] {{ color-scheme: dark; {dark} }}
* {{ box-sizing: border-box; margin: 0; }}
body {{ min-height: 100svh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  font: 400 1.125rem/1.55 {sans}; }}
header, main {{ width: 100%; max-width: 84rem; margin: 0 auto; padding: 1rem clamp(1rem, 4vw, 2.5rem); }}
header {{ display: flex; align-items: center; gap: .625rem; font: 550 1.5rem/1 {serif}; letter-spacing: -.015em; }}
header svg {{ width: 26px; height: 26px; }}
main {{ flex: 1; display: grid; align-content: center; justify-items: start; padding-bottom: 6rem; }}
h1 {{ font: 500 clamp(1.875rem, 1.6rem + 1.1vw, 2.5rem)/1.1 {serif}; letter-spacing: -.015em; }}
p {{ max-width: 34rem; margin: .75rem 0 1.5rem; color: var(--ink-2); }}
a {{ display: inline-flex; align-items: center; min-height: 3.25rem; padding: 0 2rem; border-radius: 6px;
  background: var(--brand); color: var(--on-brand); font-weight: 600; text-decoration: none; }}
a:hover {{ background: var(--brand-hover); }}
a:focus-visible {{ outline: 2px solid var(--focus); outline-offset: 2px; }}
</style>
</head>
<body>
<header>{mark}<span>{name}</span></header>
<main>
<h1>No connection</h1>
<p>The store cannot be reached right now. Your cart and your orders are safe. This page reloads as soon as the store
is back.</p>
<a href="">Try again</a>
</main>
</body>
</html>
"""
