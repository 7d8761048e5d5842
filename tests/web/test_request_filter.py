"""Requests that no page of the store sends are refused before they reach a route."""

import asyncio
from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from marketplace_app.web import headers
from marketplace_app.web.headers import SecurityHeaders
from marketplace_app.web.request_filter import RequestFilter
from tests.conftest import Cast, SignIn

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("host", ["evil.example", "localhost:9999", "localhost", "localhost:8000.evil.example", ""])
def test_a_foreign_host_is_refused(client: TestClient, host: str) -> None:
    response = client.get("/api/products", headers={"Host": host})
    assert (response.status_code, response.json()["code"]) == (400, "unknown_host")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "LOCALHOST:8000"])
def test_other_names_of_localhost_are_served_in_development(client: TestClient, host: str) -> None:
    assert client.get("/api/products", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:8001"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_foreign_page_may_not_write(as_user: SignIn, cast: Cast, headers: dict[str, str]) -> None:
    alice = as_user(cast.alice)
    response = alice.post("/api/auth/logout", headers=headers)
    assert (response.status_code, response.json()["code"]) == (403, "foreign_origin")
    assert alice.get("/api/auth/user").status_code == 200


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://localhost:8000"}, {"Sec-Fetch-Site": "same-origin"}])
def test_the_stores_pages_and_non_browser_clients_may_write(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/api/auth/logout", headers=headers).status_code == 200


def test_a_large_body_is_refused_with_and_without_a_length(client: TestClient) -> None:
    large = b'{"dateOfBirth": "' + b"1" * 1_000_000 + b'"}'
    assert client.post("/api/verify-age", content=large, headers=JSON).status_code == 413

    def in_pieces() -> Iterator[bytes]:
        for start in range(0, len(large), 10_000):
            yield large[start : start + 10_000]

    response = client.post("/api/verify-age", content=in_pieces(), headers=JSON)
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("length", [b"\xb2", b"-1", b"1e3", b""])
def test_a_length_that_is_no_number_is_not_an_error_of_the_store(length: bytes) -> None:
    """A superscript two is a digit to Python, but no number."""
    headers = [(b"host", b"localhost:8000"), (b"content-type", b"application/json"), (b"content-length", length)]
    scope = {"type": "http", "method": "POST", "path": "/api/verify-age", "headers": headers}
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"{}"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(RequestFilter(PlainTextResponse("Answered."))(scope, receive, send))
    assert sent[0]["status"] == 200


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_must_be_json(client: TestClient, content_type: str) -> None:
    response = client.post("/api/verify-age", content=b"{}", headers={"Content-Type": content_type})
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 20_000, b'"' + b"x" * 1000])
def test_invalid_json_is_an_error_without_a_traceback(client: TestClient, body: bytes) -> None:
    response = client.post("/api/verify-age", content=body, headers=JSON)
    assert response.status_code in (400, 422)
    assert response.json()["code"] == "invalid_input"
    assert "Traceback" not in response.text


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_an_unknown_path_is_a_json_404(client: TestClient, method: str) -> None:
    response = client.request(method, "/api/no/such/thing")
    assert (response.status_code, response.json()) == (
        404,
        {"message": "Not found. Please check the address.", "code": "not_found"},
    )


def test_every_answer_carries_the_security_headers(client: TestClient) -> None:
    for response in (client.get("/api/products"), client.get("/api/nope"), client.post("/api/cart", json={})):
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-eval" not in policy
        assert "script-src 'self';" in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "strict-origin-when-cross-origin"


def test_private_answers_are_never_stored_and_the_catalogue_is_revalidated(
    client: TestClient, as_user: SignIn, cast: Cast
) -> None:
    assert as_user(cast.alice).get("/api/auth/user").headers["cache-control"] == "no-store"
    assert client.get("/api/products").headers["cache-control"] == "public, no-cache"


def test_reads_are_limited_by_a_setting(client: TestClient, configure: Callable[..., None]) -> None:
    configure(READ_RATE="2/minute")
    statuses = [client.get("/api/products").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert client.get("/healthz").status_code == 200


def test_an_unexpected_failure_has_the_headers_too(caplog: pytest.LogCaptureFixture) -> None:
    async def fails(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise OSError("File name too long")

    answer = TestClient(SecurityHeaders(fails), base_url="http://localhost:8000").get("/")
    assert (answer.status_code, answer.json()["code"]) == (500, "error")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert any("unexpected failure in GET" in record.getMessage() for record in caplog.records)


def test_a_failure_to_add_headers_keeps_the_answer(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_path: str) -> str:
        raise OSError("Input/output error")

    monkeypatch.setattr(headers, "page_file", fails)
    answer = client.get("/nothing")
    assert answer.status_code == 404
    assert "script-src 'self';" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/api", ""), ("/api/products", "GET, HEAD"), ("/api/nothing", ""), ("/readyz", "GET, HEAD")],
)
@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "PROPFIND", "FOO"])
def test_a_method_that_no_route_has_is_a_json_405(method: str, path: str, allowed: str) -> None:
    pages = PlainTextResponse("What no route answers goes on to the pages.")
    answer = TestClient(RequestFilter(pages), base_url="http://localhost:8000").request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == allowed


@pytest.mark.parametrize("path", ["/api/products", "/api/auth/user", "/api/nothing", "/healthz", "/readyz"])
def test_head_is_answered_as_get_without_the_body(client: TestClient, path: str) -> None:
    head, got = client.head(path), client.get(path)
    assert head.content == b""
    assert head.status_code == got.status_code
    assert head.headers["content-type"] == got.headers["content-type"] == "application/json"
    assert head.headers["content-length"] == got.headers["content-length"]


def test_head_requests_count_as_reads(client: TestClient, configure: Callable[..., None]) -> None:
    configure(READ_RATE="2/minute")
    assert [client.head("/api/products").status_code for _ in range(3)] == [200, 200, 429]
