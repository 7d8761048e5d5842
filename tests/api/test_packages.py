"""A product without a photograph has a drawn package wherever it is shown."""

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app import packaging
from tests.builders import draft, make_product
from tests.conftest import Cast, SignIn


def test_a_product_without_a_photograph_has_a_picture(session: Session, client: TestClient) -> None:
    product = make_product(session, "Blue Dream", image="")
    session.commit()
    shown = client.get(f"/api/products/{product.id}").json()["imageUrl"]
    drawing = client.get(shown)
    assert drawing.status_code == 200
    assert drawing.headers["content-type"] == "image/svg+xml"
    assert "immutable" in drawing.headers["cache-control"]
    assert drawing.headers["content-security-policy"].startswith("default-src 'none'; sandbox")


def test_lists_the_cart_orders_and_admin_pages_show_the_same_picture(
    session: Session, cast: Cast, as_user: SignIn
) -> None:
    product = make_product(session, "Blue Dream", image="", price_cents=80_00)
    session.commit()
    alice, ada = as_user(cast.alice), as_user(cast.ada)
    alice.post("/api/cart", json={"productId": product.id, "quantity": 1})
    (line,) = alice.get("/api/cart").json()
    order = alice.post("/api/orders", json=draft((product, 2))).json()
    shown = {
        alice.get("/api/products").json()[0]["imageUrl"],
        line["product"]["imageUrl"],
        order["items"][0]["imageUrl"],
        ada.get("/api/admin/products").json()[0]["imageUrl"],
    }
    assert shown == {packaging.package_url("Blue Dream", "THC Flower")}


def test_an_order_keeps_the_package_of_its_day(session: Session, cast: Cast, as_user: SignIn) -> None:
    product = make_product(session, "Blue Dream", image="", price_cents=80_00)
    session.commit()
    alice = as_user(cast.alice)
    placed = alice.post("/api/orders", json=draft((product, 2))).json()["items"][0]["imageUrl"]
    product.name = "Purple Dream"
    session.add(product)
    session.commit()
    assert alice.get("/api/products").json()[0]["imageUrl"] != placed
    assert alice.get("/api/orders").json()[0]["items"][0]["imageUrl"] == placed
    assert alice.get(placed).status_code == 200


@pytest.mark.parametrize("change", ["name", "mark", "nothing", "letters", "long"])
def test_only_the_store_decides_what_is_drawn(client: TestClient, change: str) -> None:
    words, mark, _ = packaging.package_url("Blue Dream", "Edibles").removeprefix(packaging.PACKAGES_PREFIX).split(".")
    other = packaging.package_url("Anything", "Edibles").split(".")[0].removeprefix(packaging.PACKAGES_PREFIX)
    forged = {
        "name": f"{other}.{mark}.svg",
        "mark": f"{words}.{mark[:-1]}x.svg",
        "nothing": "x.svg",
        "letters": f"{words}ä%00.{mark}.svg",
        "long": f"{'A' * 3000}.{mark}.svg",
    }
    assert client.get(f"{packaging.PACKAGES_PREFIX}{forged[change]}").status_code == 404


def test_requests_for_invented_paths_push_no_drawing_out_of_the_cache() -> None:
    path = packaging.package_url("Blue Dream", "Edibles")
    drawing = packaging.drawing_at(path)
    for number in range(packaging.CACHED_DRAWINGS):
        assert packaging.drawing_at(f"{packaging.PACKAGES_PREFIX}{number}.svg") is None
    assert packaging.drawing_at(path) is drawing, "it was drawn again"


def test_a_name_of_any_script_has_an_address_that_works(client: TestClient) -> None:
    for name in ("Crème / Brûlée?", "绿茶 #1", "..", "A" * 120):
        assert client.get(packaging.package_url(name, "Edibles")).status_code == 200
