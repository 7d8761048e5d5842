"""What a first visit fetches first: words, style and the landing page's still; then the scripts that bring it alive."""

from pathlib import Path
from typing import Any

import reflex as rx
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from marketplace_app.auth import cookies

_HINTED = '<link rel="modulepreload"'
_STILL = '</hero/hero-poster.avif>; rel="preload"; as="image"; type="image/avif"; fetchpriority="high"'


class FirstPaintPlugin(rx.plugins.Plugin):
    """Every built page asks for all its scripts in its head; on a slow line they would hold up the first words."""

    def post_build(self, **context: Any) -> None:
        for page in Path(context["static_dir"]).rglob("*.html"):
            page.write_text(scripts_wait(page.read_text()))


def scripts_wait(page: str) -> str:
    return page.replace(_HINTED, f'{_HINTED} fetchpriority="low"')


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
