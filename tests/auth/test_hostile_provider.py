"""An identity provider that answers nonsense or never ends its answer: visitors get an error, and can sign in later."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from fastapi.testclient import TestClient

from marketplace_app.auth import oidc
from marketplace_app.config import Settings
from marketplace_app.jobs.identity import start_development_provider
from tests.conftest import free_port
from tools.faults import identity

PORT = free_port()


@pytest.fixture(autouse=True)
def settings(configure: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    configure(OIDC_ISSUER=f"http://localhost:{PORT}")
    monkeypatch.setattr(identity, "DRIP_SECONDS", 3)


@contextmanager
def impostor() -> Iterator[identity.Impostor]:
    """The store waits for it one second only. The good provider gets more time, which it needs on a busy machine."""
    with pytest.MonkeyPatch.context() as patched, identity.impostor(PORT) as started:
        patched.setattr(oidc, "PROVIDER_TIMEOUT_SECONDS", 1)
        yield started


def begin(client: TestClient) -> httpx.Response:
    return client.get("/api/login", follow_redirects=False)


@contextmanager
def good_provider() -> Iterator[None]:
    server = start_development_provider(Settings(oidc_issuer=f"http://localhost:{PORT}"))
    yield
    server.shutdown()
    server.server_close()


@pytest.mark.slow
@pytest.mark.attack("nonsense from the identity provider")
def test_nonsense_about_the_provider_is_a_503_and_is_not_remembered(client: TestClient) -> None:
    answers = []
    with impostor() as provider:
        for nonsense in identity.ANSWERS:
            provider.answer = nonsense
            answer = begin(client)
            answers.append((answer.status_code, answer.json()["code"]))
    assert set(answers) == {(503, "sign_in_unavailable")}, answers
    with good_provider():
        assert begin(client).status_code == 302


@pytest.mark.slow
@pytest.mark.attack("nonsense instead of a token")
def test_nonsense_instead_of_a_token_is_a_403_or_503(client: TestClient) -> None:
    waiting, answers = [], []
    with good_provider():
        for _ in identity.ANSWERS:
            client.cookies.clear()
            location = begin(client).headers["location"]
            back = httpx.post(location, data={"sub": "new@example.org"}).headers["location"]
            waiting.append((back, dict(client.cookies)))
    with impostor() as provider:
        for (back, kept), nonsense in zip(waiting, identity.ANSWERS, strict=True):
            provider.answer = nonsense
            client.cookies.clear()
            client.cookies.update(kept)
            answer = client.get(back, follow_redirects=False)
            answers.append((answer.status_code, answer.json()["code"]))
    assert set(answers) <= {(403, "sign_in_failed"), (503, "sign_in_unavailable")}, answers
