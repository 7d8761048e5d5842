"""The catalogue as served to members: with its first pictures in their skeletons."""

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session
from starlette.types import Receive, Scope, Send

from marketplace_app import db
from marketplace_app.components.controls.pictures import CARD_SIZES, FIRST_PICTURES, picture_html
from marketplace_app.errors import Unavailable
from marketplace_app.framework import built_pages
from marketplace_app.packaging import package_url
from marketplace_app.web.completed_pages import PageCompleter
from marketplace_app.web.first_pictures import CATALOGUE_PAGE
from tests.builders import make_product

MEMBER = {"cookie": "session=abc; signed_in=1"}
MARKED_PAGE = "".join(f'<li><span class="photo" data-first-picture="{place}"></span></li>' for place in range(6))


async def untouched(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"as built"})


@pytest.fixture
def visitor(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    (tmp_path / "index.html").write_text(MARKED_PAGE)
    monkeypatch.setattr(built_pages, "FOLDER", tmp_path)
    return TestClient(PageCompleter(untouched, (CATALOGUE_PAGE,)), headers=MEMBER)


def test_the_first_products_have_their_pictures_in_the_served_page(visitor: TestClient, session: Session) -> None:
    for name in "ABCDEF":
        make_product(session, name, image=f"/pictures/{name}" if name != "B" else "")
    session.commit()
    page = visitor.get("/").text
    assert f'data-first-picture="0">{picture_html("/pictures/A", CARD_SIZES)}</span>' in page
    assert (
        f'data-first-picture="1">{picture_html(package_url("B", "THC Flower"), CARD_SIZES, is_first=False)}</span>'
        in page
    )
    assert page.count("<img ") == FIRST_PICTURES
    assert (page.count('fetchpriority="high"'), page.count('loading="lazy"')) == (1, FIRST_PICTURES - 1)


def test_the_first_picture_is_preloaded_by_a_header(visitor: TestClient, session: Session) -> None:
    assert "link" not in visitor.get("/").headers
    make_product(session, "A", image="/pictures/A")
    session.commit()
    answer = visitor.get("/")
    page, link = answer.text, answer.headers["link"]
    assert link.startswith('</pictures/A-640.webp>; rel="preload"; as="image"; fetchpriority="high"; imagesrcset="')
    # With another list of files, the browser would fetch one for the preload and another for the picture.
    files, sizes = re.findall(r'image(?:srcset|sizes)="(.*?)"', link)
    assert (f'srcset="{files}"' in page, f'sizes="{sizes}"' in page) == (True, True)


def test_a_drawn_package_is_preloaded_in_its_only_size(visitor: TestClient, session: Session) -> None:
    make_product(session, "A", image="")
    session.commit()
    assert visitor.get("/").headers["link"] == (
        f'<{package_url("A", "THC Flower")}>; rel="preload"; as="image"; fetchpriority="high"'
    )


def test_a_page_that_the_browser_has_is_not_sent_again(visitor: TestClient, session: Session) -> None:
    first = visitor.get("/")
    again = visitor.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    make_product(session)
    session.commit()
    assert visitor.get("/", headers={"if-none-match": first.headers["etag"]}).status_code == 200


def test_guests_filtered_lists_and_other_pages_are_served_as_built(visitor: TestClient, session: Session) -> None:
    make_product(session)
    session.commit()
    assert visitor.get("/", headers={"cookie": "signed_in_once=1"}).text == "as built"
    assert visitor.get("/?category=Vapes").text == "as built"
    assert visitor.get("/checkout").text == "as built"


def test_a_page_without_the_marks_is_served_unchanged_and_logged(
    visitor: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    (built_pages.FOLDER / "index.html").write_text("<p>nothing marked</p>")
    assert visitor.get("/").text == "<p>nothing marked</p>"
    assert "could not be written into the page" in caplog.text


def test_without_a_database_the_built_page_is_unchanged(visitor: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def dead(_work: object) -> None:
        raise Unavailable

    monkeypatch.setattr(db, "read", dead)
    assert visitor.get("/").text == "as built"
