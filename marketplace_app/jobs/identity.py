"""The development identity provider: accepts any name without a password. Loopback only, never in production."""

import logging
import threading
from http.server import ThreadingHTTPServer
from urllib.parse import urlsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from oidc_provider_mock import User
from oidc_provider_mock import app as make_provider

from marketplace_app.config import Settings, get_settings

DEMO_SHOPPER = "shopper@example.com"
DEMO_OWNER = "owner@example.com"


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """The URLs of a sign-in carry codes: they stay out of the terminal."""


class _ThreadingServer(ThreadingHTTPServer, WSGIServer):
    """A thread for each request."""


def main() -> None:
    """Serve it in a process of its own, at `OIDC_ISSUER`, for a store that runs in several processes."""
    make_development_provider(get_settings()).serve_forever()


def start_development_provider(settings: Settings) -> WSGIServer:
    """Serve it in a thread at `OIDC_ISSUER`. Raises RuntimeError in production."""
    server = make_development_provider(settings)
    threading.Thread(target=server.serve_forever, name="identity-provider", daemon=True).start()
    return server


def make_development_provider(settings: Settings) -> WSGIServer:
    """Bound to `OIDC_ISSUER`, but not serving yet. Raises RuntimeError in production."""
    if not settings.is_development:
        raise RuntimeError("the development identity provider must not run in production")
    logging.getLogger("oidc_provider_mock").setLevel(logging.WARNING)
    issuer = urlsplit(settings.oidc_issuer)
    users = [
        User(sub=DEMO_SHOPPER, claims={"email": DEMO_SHOPPER, "given_name": "Sam", "family_name": "Shopper"}),
        User(sub=DEMO_OWNER, claims={"email": DEMO_OWNER, "given_name": "Olive", "family_name": "Owner"}),
    ]
    provider = make_provider(require_nonce=True, user_claims=users)
    return make_server(
        "127.0.0.1", issuer.port or 80, provider, server_class=_ThreadingServer, handler_class=_QuietHandler
    )


if __name__ == "__main__":
    main()
