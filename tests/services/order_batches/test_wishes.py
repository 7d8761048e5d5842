"""What customers want if their order is packed from another batch (RULE batch-wish)."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, delete, select
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.adapters import live
from marketplace_app.errors import NotFound
from marketplace_app.models import AuditEntry, OrderDelivery, OrderStatus, Product, Substitution, User, Zone
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.schemas.buying.order_batches import WishForm
from marketplace_app.schemas.buying.order_forms import OrderForm
from marketplace_app.services.buying import cart, orders
from marketplace_app.services.buying.own_orders import OrderAlreadyOut
from marketplace_app.services.order_batches import wishes
from tests.builders import draft, make_batch, make_product, make_zone, order_form
from tests.conftest import Cast, SignIn
from tests.counting import count_statements
from tests.services.batches.test_of_orders import set_status


@pytest.fixture
def fern(session: Session) -> Product:
    """Of a batch, in a shop with a zone."""
    make_zone(session, "97201")
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=0)
    make_batch(session, product, "A1", units=20)
    session.commit()
    return product


def place(who: User, *items: tuple[Product, int], **changes: Any) -> dict[str, Any]:
    form = order_form(*items, **changes)
    return dict(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key=None)))


def change(who: User, order_id: str, wish: str) -> Substitution:
    form = parse(WishForm, {"substitution": wish})
    order = db.write(lambda s: wishes.change(s, s.get(User, who.id), order_id, form))
    assert order.delivery is not None
    return order.delivery.substitution


@pytest.mark.parametrize(("given", "kept"), [(None, "ask"), ("any", "any"), ("close", "close"), ("ask", "ask")])
def test_the_drafts_wish_is_kept_and_without_one_the_customer_is_asked(
    session: Session, cast: Cast, fern: Product, given: str | None, kept: str
) -> None:
    placed = place(cast.alice, (fern, 1), substitution=given)
    assert placed["delivery"]["substitution"] == kept
    assert session.get_one(OrderDelivery, placed["id"]).substitution == kept
    assert db.read(lambda s: orders.get(s, cast.alice, placed["id"])).wire() == placed


def test_a_wish_of_null_and_no_wish_have_the_same_fingerprint(session: Session, fern: Product) -> None:
    without = order_form((fern, 1)).body_hash()
    assert order_form((fern, 1), substitution="ask").body_hash() != without
    assert parse(OrderForm, draft((fern, 1)) | {"substitution": None}).body_hash() == without


def test_a_cart_takes_a_wish_if_it_has_batches_and_the_shop_has_zones(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    dune = make_product(session, "Dune", stock=5)
    session.commit()

    def takes(product: Product) -> bool:
        db.write(lambda s: cart.add(s, s.get(User, cast.alice.id), AddForm(productId=product.id)))
        return db.read(lambda s: cart.show(s, cast.alice)).takes_wish

    assert [takes(dune), takes(fern)] == [False, True]
    with count_statements(engine) as statements:
        db.read(lambda s: cart.show(s, cast.alice))
    assert [each for each in statements if re.search(r"\b(FROM|JOIN) \w*batch", each)] == []
    session.execute(delete(Zone))
    session.commit()
    assert not takes(dune)


def test_the_wish_can_be_changed_until_the_order_is_out(
    engine: Engine, session: Session, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = place(cast.alice, (fern, 1))["id"]
    sent: list[str] = []
    monkeypatch.setattr(wishes.announcements, "publish", lambda _, topic: sent.append(topic))
    assert change(cast.alice, order, "any") is Substitution.ANY
    assert sent == [live.user(cast.alice.id), live.STAFF]
    assert change(cast.alice, order, "any") is Substitution.ANY
    set_status(cast, order, OrderStatus.CONFIRMED)
    assert change(cast.alice, order, "close") is Substitution.CLOSE
    with Session(engine) as fresh:
        entries = select(col(AuditEntry.details)).where(col(AuditEntry.action) == "order.batch_wish")
        changes = [{"from": "ask", "to": "any"}, {"from": "any", "to": "close"}]
        assert [*fresh.execute(entries.order_by(col(AuditEntry.id))).scalars()] == changes
    with pytest.raises(NotFound):
        change(cast.bob, order, "any")
    set_status(cast, order, OrderStatus.OUT_FOR_DELIVERY)
    with pytest.raises(OrderAlreadyOut):
        change(cast.alice, order, "any")


def test_an_order_without_batches_or_without_a_zone_has_nothing_to_choose(
    session: Session, cast: Cast, fern: Product
) -> None:
    dune = make_product(session, "Dune", price_cents=120_00, stock=5)
    session.commit()
    order = place(cast.alice, (dune, 1))["id"]
    with pytest.raises(wishes.NotInBatches):
        change(cast.alice, order, "any")
    session.execute(delete(Zone))
    session.commit()
    order = place(cast.alice, (fern, 1), substitution="any")
    assert "delivery" not in order
    with pytest.raises(wishes.NotInBatches):
        change(cast.alice, order["id"], "any")


def test_a_wish_is_said_and_changed_over_rest(cast: Cast, fern: Product, as_user: SignIn) -> None:
    alice: TestClient = as_user(cast.alice)
    wrong = alice.post("/api/orders", json=draft((fern, 1), substitution="none"))
    assert (wrong.status_code, [*wrong.json()["fields"]]) == (422, ["substitution"])
    order = alice.post("/api/orders", json=draft((fern, 1), substitution="close")).json()
    path = f"/api/orders/{order['id']}/substitution"
    assert alice.put(path, json={"substitution": "any"}).json()["delivery"]["substitution"] == "any"
    assert alice.put(path, json={}).status_code == 422
    assert as_user(cast.bob).put(path, json={"substitution": "any"}).status_code == 404
    (batch,) = as_user(cast.ada).get(f"/api/admin/orders/{order['id']}").json()["batches"]
    assert (batch["code"], batch["units"], batch["state"], batch["product"]) == ("A1", 1, "for_sale", "Fern Hollow")
