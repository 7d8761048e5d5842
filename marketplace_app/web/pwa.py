"""The progressive web app: its manifest, the offline page, and the id of the build in its service worker.

They are files, written when the pages are built; the service worker itself is `assets/sw.js`.
"""

import hashlib
from pathlib import Path
from typing import Any

import orjson
import reflex as rx
from markupsafe import Markup

from marketplace_app.config import get_settings
from marketplace_app.framework import built_pages
from marketplace_app.framework.patching import replace_first
from marketplace_app.templates import render
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
        worker.write_text(replace_first(worker.read_text(), 'BUILD"', f'{_build_id(built, page)}"'))


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
    """Self-contained: it is shown at any URL, and reloads that URL when the store answers."""
    mark = (ASSETS / "mark.svg").read_text().replace(LIGHT["brand"], "var(--brand)")
    mark = mark.replace(LIGHT["paper"], "var(--paper)").replace("<svg", '<svg aria-hidden="true"', 1)
    return render(
        "offline.html",
        name=get_settings().store_name,
        mark=Markup(mark),  # noqa: S704 - our own file
        light=_colours(LIGHT),
        dark=_colours(LIGHT | DARK),
        serif=Markup(FONTS["serif"]),  # noqa: S704 - our own tokens
        sans=Markup(FONTS["sans"]),  # noqa: S704
        theme_script=Markup((ASSETS / "theme.js").read_text()),  # noqa: S704 - our own file
    )


def _colours(palette: dict[str, str]) -> str:
    return " ".join(f"--{name}: {palette[name]};" for name in COLOURS)


def _build_id(built: Path, page: str) -> str:
    """Changes with every build that differs: the browser then installs the new worker, which deletes the old files."""
    return hashlib.sha256("\n".join([*built_pages.asset_names(built), page]).encode()).hexdigest()[:12]
