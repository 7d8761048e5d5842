"""The pages that Reflex and React Router have built: finding them, and changing text in them.

Relies on the layout of `build/client` in Reflex's working folder (a folder with `index.html` for each route, an empty
shell for the dynamic ones, scripts and styles in `assets`) and on the form of React's HTML: double quotes, attributes
in the order in which they were given, `<` and `&` escaped in texts.
"""

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path

from reflex.utils.prerequisites import get_web_dir

from marketplace_app.framework.patching import NothingToPatch, replace_first, substitute

FOLDER = get_web_dir() / "build" / "client"
STAMP = FOLDER.parent / "stamp"
"""Says what the pages were built from. It lies in the working folder, so it is deleted together with it."""
ASSETS_PATH = "/assets/"
"""Files below it are named by a hash of their content, and never change."""
DYNAMIC, MISSING = "__spa-fallback.html", "404.html"
"""The files that answer a dynamic route, and a path without a route."""
PLACEHOLDER = "_"
"""The argument with which `prerendering.py` has pages of dynamic routes built."""
_NUMBERED = re.compile(r"/(\w+(?:/\w+)*)/[0-9]{1,9}/?")
_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.S)


def is_built() -> bool:
    return (FOLDER / "index.html").is_file()


def is_page(path: str) -> bool:
    """Whether a page of its own was built for this path."""
    return (FOLDER / path.strip("/") / "index.html").is_file()


def page_file(path: str) -> Path | None:
    """The built page that answers a path; the shell answers every path that has no page of its own."""
    name = path.strip("/")
    numbered = _NUMBERED.fullmatch(path)
    prerendered = [FOLDER / numbered[1] / PLACEHOLDER / "index.html"] if numbered else []
    static = (FOLDER / name / "index.html", FOLDER / f"{name}.html")
    candidates = (*static, *prerendered, FOLDER / DYNAMIC, FOLDER / MISSING)
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def asset_names(built: Path) -> list[str]:
    """The names of a build's scripts and styles, which change with their content."""
    names = sorted(file.name for file in (built / ASSETS_PATH.strip("/")).glob("*"))
    if not names:
        raise NothingToPatch(f"a file in {ASSETS_PATH}")
    return names


def inline_scripts(page: str) -> list[str]:
    return _SCRIPT.findall(page)


def with_head(page: str, tags: str) -> str:
    """The page with these tags at the end of its head."""
    return replace_first(page, "</head>", f"{tags}</head>")


def with_content(page: str, attribute: str, contents: Mapping[str, str]) -> str:
    """Writes HTML into the empty elements whose attribute names one of `contents`."""
    marked = re.compile(rf'( {attribute}="(\w+)"[^>]*>)(?=</)')
    return substitute(marked, lambda found: found[1] + contents.get(found[2], ""), page)


def with_texts(page: str, attribute: str, texts: Mapping[str, str]) -> str:
    """Replaces the texts of `span`s whose only attribute names one of `texts`; an empty text changes nothing."""
    marked = re.compile(rf'(<span {attribute}="(\w+)">)([^<]*)')
    return substitute(marked, lambda found: found[1] + (escape(texts[found[2]]) or found[3]), page)


def with_hidden(page: str, attribute: str, texts: Mapping[str, str]) -> str:
    """Hides elements whose attribute names an empty text. They are not removed: React expects them when it hydrates."""
    marked = re.compile(rf' {attribute}="(\w+)"')
    return substitute(marked, lambda found: found[0] if texts[found[1]] else f"{found[0]} hidden", page)
