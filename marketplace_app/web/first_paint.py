"""What a first visit fetches first: words, style and the landing page's still; then the scripts that bring it alive."""

import re
from pathlib import Path
from typing import Any

import reflex as rx
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app.auth import cookies

_HINTED = '<link rel="modulepreload"'
_START = re.compile(r'<script type="module" async="">(.*?)</script>', re.S)
_IMPORT = re.compile(r'^import (?:\* as (\w+) from )?("[^"]+");', re.M)
# A tab in the background paints nothing.
_AFTER_PAINT = """\
if (!document.hidden) await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
for (const link of document.querySelectorAll("link[data-rel]")) link.rel = link.dataset.rel;
"""
_STILL = '</hero/hero-poster.avif>; rel="preload"; as="image"; type="image/avif"; fetchpriority="high"'


class FirstPaintPlugin(rx.plugins.Plugin):
    """Every built page asks for all its scripts in its head: they would take line and processor from its words."""

    def post_build(self, **context: Any) -> None:
        for page in Path(context["static_dir"]).rglob("*.html"):
            page.write_text(scripts_wait(page.read_text()))


def scripts_wait(page: str) -> str:
    return _START.sub(_after_paint, page.replace(_HINTED, '<link data-rel="modulepreload"'))


def _after_paint(start: re.Match[str]) -> str:
    return f'<script type="module" async="">{_AFTER_PAINT}{_IMPORT.sub(_on_demand, start[1])}</script>'


def _on_demand(statement: re.Match[str]) -> str:
    name, file = statement.groups()
    return f"const {name} = await import({file});" if name else f"await import({file});"


class StillFirst:
    """Guests are told of the landing page's still before the style that shows it has come; members see no landing."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/" or _is_member(scope):
            await self.app(scope, receive, send)
            return

        async def send_with_hint(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("Link", _STILL)
            await send(message)

        await self.app(scope, receive, send_with_hint)


def _is_member(scope: Scope) -> bool:
    return cookies.read(Headers(scope=scope).get("cookie"), cookies.SIGNED_IN_HINT) is not None
