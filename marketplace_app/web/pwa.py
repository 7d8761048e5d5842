"""The progressive web app: its manifest, the offline page, and what its service worker has to know of the build.

They are files, written when the pages are built; the service worker itself is `assets/sw.js`.
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
"""The driver's page, which the service worker keeps for those who have opened it (RULE drive-page)."""
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
        drive = (built / DRIVE.strip("/") / "index.html").read_text()
        files = files_of(drive)
        contents = [page, drive, *((built / file.strip("/")).read_text("latin-1") for file in files)]
        changed = replace_first(worker.read_text(), 'BUILD"', f'{_build_id(built, contents)}"')
        worker.write_text(replace_first(changed, '"FILES"', f'"{" ".join(files)}"'))


def files_of(page: str) -> list[str]:
    """The scripts, styles and fonts without which a page does not look as it should."""
    links = [_HREF.search(link) for link in _LINK.findall(page)]
    return sorted({*_SCRIPT.findall(page), *(link[1] for link in links if link)})


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


def _build_id(built: Path, contents: list[str]) -> str:
    """Differs for builds that differ: the browser then installs the new worker, which deletes the old files."""
    return hashlib.sha256("\n".join([*built_pages.asset_names(built), *contents]).encode()).hexdigest()[:12]
