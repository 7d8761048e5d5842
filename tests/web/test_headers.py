"""How long browsers may keep files, and their content security policy."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from marketplace_app.web.headers import FILE_POLICY, SecurityHeaders

FOR_A_DAY, FOR_EVER = "public, max-age=86400", "public, max-age=31536000, immutable"
FILES = {
    "/pictures/moorland-640.webp": FOR_A_DAY,
    "/hero/hero.webm": FOR_A_DAY,
    "/assets/root-a1b2.js": FOR_EVER,
    "/theme.js": "no-cache",
}


@pytest.fixture
def files(tmp_path: Path) -> TestClient:
    for path in FILES:
        file = tmp_path / path.strip("/")
        file.parent.mkdir(exist_ok=True)
        file.write_text("content")
    app = Starlette(routes=[Mount("/", StaticFiles(directory=tmp_path))])
    return TestClient(SecurityHeaders(app), base_url="http://localhost:8000")


@pytest.mark.parametrize(("path", "kept"), FILES.items())
def test_cache_lifetime_is_the_same_for_a_whole_a_partial_and_a_revalidated_file(
    files: TestClient, path: str, kept: str
) -> None:
    whole = files.get(path)
    part = files.get(path, headers={"Range": "bytes=0-2"})
    current = files.get(path, headers={"If-None-Match": whole.headers["etag"]})
    assert [answer.status_code for answer in (whole, part, current)] == [200, 206, 304]
    assert [answer.headers["cache-control"] for answer in (whole, part, current)] == [kept] * 3


@pytest.mark.parametrize("path", [path for path, kept in FILES.items() if kept != "no-cache"])
def test_the_policy_of_a_file_is_short_and_forbids_everything(files: TestClient, path: str) -> None:
    whole = files.get(path)
    current = files.get(path, headers={"If-None-Match": whole.headers["etag"]})
    assert {answer.headers["content-security-policy"] for answer in (whole, current)} == {FILE_POLICY}


def test_what_is_shown_instead_of_a_missing_file_has_the_policy_of_a_page(files: TestClient) -> None:
    assert "script-src 'self'" in files.get("/assets/gone-a1b2.js").headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/pictures/gone-640.webp", "/assets/gone-a1b2.js"])
def test_a_missing_file_is_not_cached(files: TestClient, path: str) -> None:
    answer = files.get(path)
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-cache")
