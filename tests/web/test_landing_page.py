"""The landing page as served to guests: with the address of the hero image and the current shop settings."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session
from starlette.types import Receive, Scope, Send

from marketplace_app import db
from marketplace_app.errors import Unavailable
from marketplace_app.framework import built_pages
from marketplace_app.models.settings import ShopSetting
from marketplace_app.web.completed_pages import PageCompleter
from marketplace_app.web.landing_page import HERO_PRELOAD, LANDING_PAGE

BUILT = (
    '<p>within <span data-settings-text="delivery_within">48 hours</span>.</p>'
    '<div class="first" data-hidden-if-empty="percent_off"><span data-settings-text="percent_off">25% OFF</span></div>'
    '<p><span data-settings-text="free_shipping">on orders over $200</span></p>' + "<p>And so on.</p>" * 50
)


async def the_file(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"as built"})


@pytest.fixture
def visitor(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    (tmp_path / "index.html").write_text(BUILT)
    monkeypatch.setattr(built_pages, "FOLDER", tmp_path)
    return TestClient(PageCompleter(the_file, (LANDING_PAGE,)))


def set_to(session: Session, **values: int) -> None:
    for name, value in values.items():
        session.add(ShopSetting(name=name, previous=0, value=value, reason="A quiet week."))
    session.commit()


def test_with_default_settings_the_built_page_is_unchanged(visitor: TestClient) -> None:
    assert visitor.get("/").text == "as built"


def test_changed_settings_are_in_the_served_page(visitor: TestClient, session: Session) -> None:
    set_to(session, delivery_hours=24, first_purchase_percent=10, free_delivery_cents=150_00)
    answer = visitor.get("/")
    assert answer.text == BUILT.replace("48 hours", "24 hours").replace("25%", "10%").replace("$200", "$150")
    assert (answer.headers["content-encoding"], answer.headers["link"]) == ("gzip", HERO_PRELOAD)
    set_to(session, delivery_hours=12)
    assert 'within <span data-settings-text="delivery_within">12 hours</span>' in visitor.get("/").text


def test_an_empty_offer_is_hidden(visitor: TestClient, session: Session) -> None:
    set_to(session, first_purchase_percent=0)
    assert '<div class="first" data-hidden-if-empty="percent_off" hidden>' in visitor.get("/").text


def test_a_page_without_the_marks_is_served_unchanged_and_logged(
    visitor: TestClient, session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    (built_pages.FOLDER / "index.html").write_text("<p>nothing marked</p>")
    set_to(session, delivery_hours=24)
    assert visitor.get("/").text == "as built"
    assert "could not be written into the landing page" in caplog.text


def test_without_a_database_the_built_page_is_unchanged(visitor: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def dead(_work: object) -> None:
        raise Unavailable

    monkeypatch.setattr(db, "read", dead)
    assert visitor.get("/").text == "as built"


@pytest.mark.parametrize("cookies", ["", "theme=dark", "signed_in_once=1", "=;;\x7f"])
def test_guests_get_a_preload_header_for_the_hero_image(visitor: TestClient, cookies: str) -> None:
    assert visitor.get("/", headers={"cookie": cookies}).headers["link"] == HERO_PRELOAD


def test_members_and_other_pages_do_not_fetch_it(visitor: TestClient) -> None:
    assert "link" not in visitor.get("/", headers={"cookie": "session=abc; signed_in=1"}).headers
    assert "link" not in visitor.get("/checkout").headers


def test_the_preloaded_hero_image_exists() -> None:
    assert Path("assets", HERO_PRELOAD[2 : HERO_PRELOAD.index(">")]).is_file()
