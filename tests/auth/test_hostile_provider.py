"""An identity provider that answers nonsense, or never ends its answer: a sentence, and sign-in works again later."""

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
    """Waited for a second, which on a busy machine the good provider may take."""
    with pytest.MonkeyPatch.context() as patched, identity.impostor(PORT) as started:
        patched.setattr(oidc, "ANSWER_WITHIN_SECONDS", 1)
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
    told = {}
    with impostor() as provider:
        for number, provider.answer in enumerate(identity.ANSWERS):
            answer = begin(client)
            told[number] = (answer.status_code, answer.json()["code"])
    assert {*told.values()} == {(503, "sign_in_unavailable")}, told
    with good_provider():
        assert begin(client).status_code == 302


@pytest.mark.slow
@pytest.mark.attack("nonsense instead of a token")
def test_nonsense_instead_of_a_token_is_a_sentence(client: TestClient) -> None:
    waiting, told = [], []
    with good_provider():
        for _ in identity.ANSWERS:
            client.cookies.clear()
            location = begin(client).headers["location"]
            back = httpx.post(location, data={"sub": "new@example.org"}).headers["location"]
            waiting.append((back, dict(client.cookies)))
    with impostor() as provider:
        for (back, kept), provider.answer in zip(waiting, identity.ANSWERS, strict=True):
            client.cookies.clear()
            client.cookies.update(kept)
            answer = client.get(back, follow_redirects=False)
            told.append((answer.status_code, answer.json()["code"]))
    assert {*told} <= {(403, "sign_in_failed"), (503, "sign_in_unavailable")}, told
