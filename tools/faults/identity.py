"""What can be wrong with an identity provider: it is down, hangs, or answers nonsense."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tools.faults.clients import ERROR_PREFIX, Person
from tools.faults.sites import Site

Answer = Callable[[BaseHTTPRequestHandler], None]
DRIP_SECONDS = 25
SIGN_INS = 8
"""How many must succeed in a row afterwards: each process of the store remembers the provider on its own."""


def _body(content: bytes, status: int = 200, kind: str = "application/json") -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(content)))
        handler.send_header("Location", handler.path)
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def drip(handler: BaseHTTPRequestHandler) -> None:
    """One byte a second, so that the time between two bytes is never long enough for a time-out."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    for _ in range(DRIP_SECONDS):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(1)


WRONG_METADATA = {"issuer": 1, "authorization_endpoint": 7, "token_endpoint": ["x"], "jwks_uri": "::", "keys": "none"}
WRONG_TOKENS = {"access_token": 5, "token_type": [], "id_token": {"a": 1}, "expires_in": "soon"}
ANSWERS: tuple[Answer, ...] = (
    *(_body(each) for each in (b"<html>", b"", b"[]", b"null", b'"text"', b"{}", b"\xff\xfe\x00", b"[" * 5_000)),
    *(_body(json.dumps(each).encode()) for each in (WRONG_METADATA, WRONG_TOKENS, {"issuer": "http://[", "jwks": {}})),
    _body(b"no", 500, "text/plain"),
    _body(b"", 302, "text/plain"),
    drip,
)


class Impostor(ThreadingHTTPServer):
    answer: Answer = staticmethod(_body(b""))


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Impostor)
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with suppress(OSError):
            self.server.answer(self)

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def impostor(port: int) -> Iterator[Impostor]:
    """A server in the place of the provider, at its port."""
    server = Impostor(("127.0.0.1", port), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def newcomers(site: Site, count: int) -> list[tuple[Person, str]]:
    """People who have signed in at the provider, each with the URL at the store that it sends them back to."""
    people = [Person(site, f"newcomer-{time.monotonic_ns()}-{number}@example.org") for number in range(count)]
    return [(person, person.visit_provider()) for person in people]


def wait_until_all_sign_in(site: Site) -> str:
    """A line for the report: how soon all can sign in after the repair, or what they are told instead."""
    repaired = time.monotonic()
    while (started := time.monotonic()) < repaired + 60:
        answers = {Person(site, f"late-{time.monotonic_ns()}@example.org").sign_in() for _ in range(SIGN_INS)}
        if answers == {None}:
            return f"sign-in works {started - repaired:.1f} s after the repair"
        time.sleep(0.5)
    return f"{ERROR_PREFIX} sign-in does not work any more: {answers}"
