"""The progressive web app: its manifest, its offline page, and the build's id and files, for its service worker.

They are written when the pages are built. The service worker itself is `assets/sw.js`.
"""

import hashlib
import re
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
DRIVE, DRIVE_SCRIPT = "/drive", "/drive.js"
"""The driver's page and its only script. The service worker keeps both once the page was opened (RULE drive-page)."""
COLOURS = ("paper", "ink", "ink-2", "brand", "brand-hover", "on-brand", "focus")
"""The tokens that the offline page uses."""
_SCRIPT = re.compile(r'<script[^>]*\bsrc="([^"]+)"')
_LINK = re.compile(r'<link[^>]*\brel="(?:stylesheet|preload)"[^>]*>')
_HREF = re.compile(r'\bhref="([^"]+)"')


class PwaPlugin(rx.plugins.Plugin):
    def post_build(self, **context: Any) -> None:
        built = Path(context["static_dir"])
        page = offline_page()
        (built / "manifest.webmanifest").write_bytes(manifest())
        (built / "offline").mkdir(exist_ok=True)
        (built / "offline" / "index.html").write_text(page)
        worker = built / "sw.js"
        drive_page = (built / DRIVE.strip("/") / "index.html").read_text()
        urls = _asset_urls(drive_page)
        # Latin-1 decodes any bytes, those of fonts too; the contents are only hashed.
        contents = [page, drive_page, *((built / url.strip("/")).read_text("latin-1") for url in urls)]
        changed = replace_first(worker.read_text(), 'BUILD"', f'{_build_id(built, contents)}"')
        worker.write_text(replace_first(changed, '"FILES"', f'"{" ".join(urls)}"'))


def _asset_urls(page: str) -> list[str]:
    """The URLs of the scripts, stylesheets and preloaded files, such as fonts, that the page names."""
    links = [_HREF.search(link) for link in _LINK.findall(page)]
    return sorted({*_SCRIPT.findall(page), *(link[1] for link in links if link)})


def manifest() -> bytes:
    name = get_settings().store_name
    content = {
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
    return orjson.dumps(content)


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


def _build_id(built: Path, contents: list[str]) -> str:
    """Differs for builds that differ: the browser then installs the new worker, which deletes the old files."""
    return hashlib.sha256("\n".join([*built_pages.asset_names(built), *contents]).encode()).hexdigest()[:12]
