"""What a first visit does first: words and style; then the scripts that bring the page alive."""

import re
from pathlib import Path
from typing import Any

import reflex as rx

_HINTED = '<link rel="modulepreload"'
_START = re.compile(r'<script type="module" async="">(.*?)</script>', re.S)
_IMPORT = re.compile(r'^import (?:\* as (\w+) from )?("[^"]+");', re.M)
# A tab in the background paints nothing.
_AFTER_PAINT = """\
if (!document.hidden) await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
for (const link of document.querySelectorAll("link[data-rel]")) link.rel = link.dataset.rel;
"""
# Whoever has never passed the age gate has nothing to press but the gate, which is no part of React: it wakes at the
# first sign of a person, while a date of birth is being typed. A message that waits is such a sign too.
_AT_FIRST_SIGN = """\
const isFirstVisit =
  !("signedIn" in document.documentElement.dataset) &&
  localStorage.getItem("ageVerified") === null &&
  sessionStorage.getItem("flash") === null &&
  !window.storeToasts &&
  !location.search;
if (isFirstVisit) {
  const signs = ["pointermove", "pointerdown", "wheel", "scroll", "keydown", "input", "click", "store:toast"];
  await new Promise((seen) => signs.forEach((sign) => addEventListener(sign, seen, { capture: true, passive: true })));
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
}
"""


class DeferredHydrationPlugin(rx.plugins.Plugin):
    """Every built page asks for all its scripts in its head: they would take line and processor from its words."""

    def post_build(self, **context: Any) -> None:
        built = Path(context["static_dir"])
        for page in built.rglob("*.html"):
            is_landing = page == built / "index.html"
            page.write_text(defer_scripts(page.read_text(), for_a_sign=is_landing))


def defer_scripts(page: str, *, for_a_sign: bool) -> str:
    """They come after the first paint; those of the landing page run when somebody is there."""
    first = _AFTER_PAINT + _AT_FIRST_SIGN if for_a_sign else _AFTER_PAINT

    def start_later(start: re.Match[str]) -> str:
        return f'<script type="module" async="">{first}{_IMPORT.sub(_on_demand, start[1])}</script>'

    return _START.sub(start_later, page.replace(_HINTED, '<link data-rel="modulepreload"'))


def _on_demand(statement: re.Match[str]) -> str:
    name, file = statement.groups()
    return f"const {name} = await import({file});" if name else f"await import({file});"
