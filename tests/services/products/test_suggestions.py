"""What the search box suggests, and synonyms."""

from fastapi.testclient import TestClient
from sqlalchemy import delete
from sqlmodel import Session

from marketplace_app.models import Synonym
from tests.builders import make_product


def names(client: TestClient, query: str) -> list[str]:
    return [each["name"] for each in client.get("/api/products", params={"search": query}).json()]


def test_products_and_brands_that_begin_with_what_was_typed(session: Session, client: TestClient) -> None:
    for number in range(8):
        make_product(session, f"Fern {number}", brand="Fernside")
    session.commit()
    found = client.get("/api/products/suggestions", params={"q": "fe"}).json()
    assert set(found) == {"corrected", "products", "categories", "brands"}
    assert [set(each) for each in found["products"]] == [{"id", "name", "price", "imageUrl"}] * 6
    assert (found["corrected"], found["categories"], found["brands"]) == (None, [], ["Fernside"])


def test_a_category_is_suggested_however_its_words_are_written(client: TestClient) -> None:
    for query in ("flow", "thc fl", "thcflower", "flowers", "THC flowers"):
        assert client.get("/api/products/suggestions", params={"q": query}).json()["categories"] == ["THC Flower"]
    for query in ("lower", "flow thc", "c flower"):
        assert client.get("/api/products/suggestions", params={"q": query}).json()["categories"] == []


def test_nothing_typed_and_nothing_found_offer_nothing(client: TestClient) -> None:
    nothing = {"corrected": None, "products": [], "categories": [], "brands": []}
    for query in ("", "?!", "zzzz", "🌿", "x" * 200):
        assert client.get("/api/products/suggestions", params={"q": query}).json() == nothing
    assert client.get("/api/products/suggestions", params={"q": "x" * 201}).status_code == 422


def test_a_word_finds_what_it_stands_for(session: Session, client: TestClient) -> None:
    session.execute(delete(Synonym))
    rows = (("doobie", "blue dream"), ("grand daddy", "gdp"))
    session.add_all(
        Synonym(term=term, replacement=other, folded_term=term, folded_replacement=other) for term, other in rows
    )
    make_product(session, "Blue Dream")
    make_product(session, "Blue Haze")
    make_product(session, "GDP Reserve")
    session.commit()
    assert names(client, "doobie") == ["Blue Dream"]
    assert names(client, "doobie reserve") == []
    assert names(client, "grand daddy reserve") == ["GDP Reserve"]
    assert names(client, "blue") == ["Blue Dream", "Blue Haze"]
