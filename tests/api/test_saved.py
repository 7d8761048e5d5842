"""Saved products over REST."""

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.limits import MAX_SAVED_PRODUCTS
from marketplace_app.models import Product, SavedProduct, User
from marketplace_app.services import privacy
from tests.builders import make_product
from tests.conftest import ON_SQLITE, Cast, SignIn


@pytest.fixture
def catalogue(session: Session) -> list[Product]:
    products = [make_product(session, name) for name in ("Fern Hollow", "Quiet Mint")]
    session.commit()
    return products


def names(client: TestClient) -> list[str]:
    return [each["product"]["name"] for each in client.get("/api/saved").json()]


def test_products_are_saved_once_listed_newest_first_and_taken_out(
    as_user: SignIn, cast: Cast, catalogue: list[Product]
) -> None:
    alice = as_user(cast.alice)
    for product in [*catalogue, catalogue[0]]:
        answer = alice.post("/api/saved", json={"productId": product.id})
        assert (answer.status_code, answer.json()["product"]["name"]) == (201, product.name)
    assert names(alice) == ["Quiet Mint", "Fern Hollow"]
    assert names(as_user(cast.bob)) == []
    for _ in range(2):
        assert as_user(cast.alice).delete(f"/api/saved/{catalogue[1].id}").status_code == 204
    assert names(as_user(cast.alice)) == ["Fern Hollow"]


def test_an_archived_product_stays_in_the_list(
    as_user: SignIn, session: Session, cast: Cast, catalogue: list[Product]
) -> None:
    alice = as_user(cast.alice)
    alice.post("/api/saved", json={"productId": catalogue[0].id})
    session.get_one(Product, catalogue[0].id).is_active = False
    session.commit()
    (stored,) = alice.get("/api/saved").json()
    assert (stored["noLongerSold"], stored["product"]["name"], stored["product"]["inStock"]) == (
        True,
        "Fern Hollow",
        False,
    )
    assert alice.post("/api/saved", json={"productId": catalogue[0].id}).status_code == 404
    assert alice.delete(f"/api/saved/{catalogue[0].id}").status_code == 204
    assert names(alice) == []


def test_the_number_of_saved_products_is_limited(
    as_user: SignIn, session: Session, cast: Cast, catalogue: list[Product]
) -> None:
    many = [make_product(session, f"Product {number}") for number in range(MAX_SAVED_PRODUCTS)]
    session.add_all(SavedProduct(user_id=cast.alice.id, product_id=product.id) for product in many)
    session.commit()
    answer = as_user(cast.alice).post("/api/saved", json={"productId": catalogue[0].id})
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_saved")
    assert as_user(cast.alice).post("/api/saved", json={"productId": many[0].id}).status_code == 201


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("POST", ""), ("DELETE", "/1")])
def test_a_guest_saves_nothing(client: TestClient, method: str, path: str) -> None:
    assert client.request(method, f"/api/saved{path}", json={"productId": 1}).status_code == 401


@ON_SQLITE
@pytest.mark.parametrize("product_id", ["x", 0, -1, 2**40, None, [1]])
def test_an_invalid_product_id_is_refused(as_user: SignIn, cast: Cast, product_id: object) -> None:
    answer = as_user(cast.alice).post("/api/saved", json={"productId": product_id})
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["productId"])


def test_they_are_in_the_export_and_go_with_the_account(
    as_user: SignIn, engine: Engine, cast: Cast, catalogue: list[Product]
) -> None:
    alice = as_user(cast.alice)
    alice.post("/api/saved", json={"productId": catalogue[0].id})
    assert [each["product"]["name"] for each in alice.get("/api/account/export").json()["saved"]] == ["Fern Hollow"]
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    with Session(engine) as session:
        assert session.execute(select(SavedProduct).where(col(SavedProduct.user_id) == cast.alice.id)).first() is None
