"""The metadata of a product page as served."""

import json
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session
from starlette.types import Receive, Scope, Send

from marketplace_app.components.controls.pictures import PRODUCT_SIZES, picture_html
from marketplace_app.framework import built_pages
from marketplace_app.web.completed_pages import PageCompleter
from marketplace_app.web.product_pages import PRODUCT_PAGES
from tests.builders import make_product

SHELL = "<!DOCTYPE html><html><head><meta charset='utf-8'></head><body>shell</body></html>"


async def inner_app(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def visitor(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    (tmp_path / "__spa-fallback.html").write_text(SHELL)
    monkeypatch.setattr(built_pages, "FOLDER", tmp_path)
    return TestClient(PageCompleter(inner_app, (PRODUCT_PAGES,)))


def test_title_preview_and_structured_data_are_in_the_served_page(visitor: TestClient, session: Session) -> None:
    product = make_product(
        session, 'Crème "Fraîche" </script><b>', description="Cream & vanilla.", price_cents=180_00, brand="North Slope"
    )
    session.commit()
    page = visitor.get(f"/product/{product.id}").text
    assert "<title>Crème &quot;Fraîche&quot; &lt;/script&gt;&lt;b&gt; · Stillroom</title>" in page
    assert '<meta name="description" content="Cream &amp; vanilla.">' in page
    assert '<meta property="og:image" content="http://localhost:8000/pictures/fern-hollow-960.webp">' in page
    data = re.search(r'<script type="application/ld\+json">(.*?)</script>', page)
    assert data is not None
    structured = json.loads(data[1])
    assert structured["name"] == product.name
    assert structured["offers"]["price"] == "180.00"
    assert structured["offers"]["availability"] == "https://schema.org/InStock"
    assert structured["aggregateRating"] == {"@type": "AggregateRating", "ratingValue": "4.6", "reviewCount": 128}


def test_only_members_get_the_picture_in_the_served_page(visitor: TestClient, session: Session) -> None:
    (built_pages.FOLDER / "__spa-fallback.html").write_text(
        SHELL.replace("shell", '<span data-first-picture="0"></span>')
    )
    product = make_product(session)
    session.commit()
    member = {"cookie": "signed_in=1"}
    answer = visitor.get(f"/product/{product.id}", headers=member)
    assert picture_html("/pictures/fern-hollow", PRODUCT_SIZES) in answer.text
    assert answer.headers["link"].startswith("</pictures/fern-hollow-640.webp>; ")
    answer = visitor.get(f"/product/{product.id}")
    assert ("<img" in answer.text, "link" in answer.headers) == (False, False)


def test_an_unknown_product_is_a_404_with_the_same_shell(visitor: TestClient) -> None:
    answer = visitor.get("/product/999999")
    assert (answer.status_code, answer.text) == (404, SHELL)


@pytest.mark.parametrize("path", ["/product/abc", "/product/", "/product/1/2", "/products/1"])
def test_other_paths_are_not_changed(visitor: TestClient, path: str) -> None:
    assert visitor.get(path).status_code == 204
