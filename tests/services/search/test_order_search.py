"""What an order is found by (RULE order-search)."""

from sqlalchemy import Engine

from marketplace_app import db
from marketplace_app.models import Product, User
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.services import privacy
from marketplace_app.services.buying import fulfilment
from tests.conftest import Cast
from tests.services.admin.test_orders import fern, get, ids, place

__all__ = ["fern"]  # fixtures, which tests take by name


def test_an_order_is_found_by_number_either_end_of_its_id_name_e_mail_and_phone(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    wanted = place(cast.alice, fern, firstName="Zoë", lastName="Bjørn-Smith", contactPhone="(503) 555-0177")
    place(cast.bob, fern, firstName="Marcus", lastName="Okafor")
    number = get(engine, wanted).number
    queries = (
        str(number),
        f"#{number}",
        wanted,
        wanted.upper(),
        wanted[:8],
        wanted[:12],
        wanted[-8:],
        "zoe",
        "ZOË bj",
        "smith zoe",
        "alice@example.org",
        "alice@ex",
        "503 555 0177",
        "5550177",
        "555-0177",
        "0177",
    )
    for query in queries:
        assert ids(cast.ada, q=query) == [wanted], query
    for query in ("nobody", "zoe okafor", str(number + 50), "00000000", "%", "_", "'", "...", "999"):
        assert ids(cast.ada, q=query) == [], query
    assert len(ids(cast.ada, q=" ")) == 2


def test_an_order_is_found_by_its_street_and_its_products(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern, firstName="Zoë", deliveryAddress="77 Kestrel Lane, Portland, OR 97201")
    place(cast.bob, fern, firstName="Marcus", deliveryAddress="9 Alder Court, Portland, OR 97201")
    assert ids(cast.ada, q="kestrel") == ids(cast.ada, q="77 Kestrel") == ids(cast.ada, q="zoe fern") == [order_id]
    assert len(ids(cast.ada, q="Fern Hollow")) == 2
    form = OrderEditForm(deliveryAddress="4 Heron Way, Portland, OR 97201")
    db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), order_id, form))
    assert (ids(cast.ada, q="heron way"), ids(cast.ada, q="kestrel")) == ([order_id], [])
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    assert len(ids(cast.ada, q="Fern Hollow")) == 1


def test_the_search_text_of_an_order_follows_edits_and_erasure(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    form = OrderEditForm(contactPhone="212 555 0101")
    db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), order_id, form))
    assert ids(cast.ada, q="212 555 0101") == [order_id]
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    assert get(engine, order_id).search_text == ""
