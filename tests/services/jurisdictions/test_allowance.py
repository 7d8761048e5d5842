"""Nobody buys more than the law allows, whatever they have ordered before (RULE legal-limits)."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.config import get_settings
from marketplace_app.models import Order, OrderLine, OrderStatus, Product, User, ZipPlace
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm, QuoteForm
from marketplace_app.schemas.buying.quotes import Quote
from marketplace_app.schemas.jurisdictions.state_rules import CategoryCount, LimitBucket, Measure, StateRules
from marketplace_app.services import pricing
from marketplace_app.services.buying import cart, fulfilment, orders, quotes
from marketplace_app.services.jurisdictions import allowance
from tests.builders import enforce_rules, make_order, make_product, make_rules, make_user, order_form
from tests.conftest import Cast
from tests.counting import count_statements
from tests.services.test_races import THREADS, at_once

NOON = datetime(2026, 11, 20, 20, tzinfo=UTC)
"""Noon at the store."""


def bucket(days: int = 1, limit_mg: int = 28_500, *counts: CategoryCount) -> LimitBucket:
    return LimitBucket("flower", "Flower", days, limit_mg, counts or (CategoryCount(category="THC Flower"),))


def flower_rules(days: int = 1, limit: int = 28_500) -> list[dict[str, Any]]:
    counts = [{"category": "THC Flower"}]
    limit_options = [{"value": limit, "source": "test"}]
    return [{"code": "flower", "label": "Flower", "days": days, "limit": limit_options, "counts": counts}]


def item(quantity: int = 1, *, name: str = "Fern Hollow", product_id: int = 1, **facts: Any) -> pricing.Item:
    facts = {"category": "THC Flower", "weight_mg": 3_500} | facts
    return pricing.Item(product_id, name, quantity, 60_00, 99, **facts)


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=60_00, stock=500, net_weight_grams=3.5)
    session.commit()
    return product


@pytest.fixture
def enforced(session: Session, fern: Product) -> None:
    make_rules(session, buckets=flower_rules())
    enforce_rules(session)
    session.commit()


def uses_of(
    session: Session, who: User, *buckets: LimitBucket, at: datetime = NOON, items: tuple[pricing.Item, ...] = ()
) -> list[tuple[int, int]]:
    made = allowance.of(session, who.id, items, StateRules(buckets=buckets), at)
    return [(use.used_mg, use.adds_mg) for use in made]


def ordered(session: Session, who: User, product: Product, quantity: int, at: datetime) -> Order:
    order = make_order(session, who, quantity * 60_00, created_at=at)
    facts = {"position": 1, "name": product.name, "image": "", "unit_price_cents": 60_00}
    session.add(OrderLine(order_id=order.id, product_id=product.id, quantity=quantity, **facts))
    session.commit()
    return order


def quote(who: User, product: Product, quantity: int) -> Quote:
    form = parse(QuoteForm, {"items": [{"productId": product.id, "quantity": quantity}], "zip": "97201", "state": "OR"})
    return db.read(lambda session: quotes.make(session, session.get(User, who.id), form))


def place(who: User, product: Product, quantity: int) -> dict[str, Any]:
    form = order_form((product, quantity))
    return dict(db.write(lambda session: orders.place(session, session.get(User, who.id), form, key=None)))


@pytest.mark.parametrize(
    ("days", "days_ago", "used_mg"),
    [(0, 0, 0), (1, 0, 7_000), (1, 1, 0), (30, 29, 7_000), (30, 30, 0)],
    ids=["each order by itself", "today", "not yesterday", "29 days ago of 30", "not 30 days ago"],
)
def test_earlier_orders_of_the_period_count(
    session: Session, cast: Cast, fern: Product, days: int, days_ago: int, used_mg: int
) -> None:
    ordered(session, cast.alice, fern, 2, NOON - timedelta(days=days_ago))
    assert uses_of(session, cast.alice, bucket(days)) == [(used_mg, 0)]


def test_the_day_is_the_stores(session: Session, cast: Cast, fern: Product) -> None:
    timezone = get_settings().timezone
    assert timezone != ZoneInfo("UTC"), "or this test shows nothing"
    midnight = clock.start_of_day(NOON.astimezone(timezone).date(), timezone)
    ordered(session, cast.alice, fern, 1, midnight - timedelta(seconds=1))
    assert uses_of(session, cast.alice, bucket()) == [(0, 0)]
    ordered(session, cast.alice, fern, 2, midnight)
    assert uses_of(session, cast.alice, bucket()) == [(7_000, 0)]


def test_cancelled_orders_and_those_of_others_do_not_count(session: Session, cast: Cast, fern: Product) -> None:
    ordered(session, make_user(session, "neighbour"), fern, 2, NOON)
    ordered(session, cast.alice, fern, 2, NOON).status = OrderStatus.CANCELLED
    session.flush()
    assert uses_of(session, cast.alice, bucket()) == [(0, 0)]


def test_categories_count_by_weight_or_thc_and_in_parts(session: Session, cast: Cast) -> None:
    counts = (
        CategoryCount(category="THC Flower"),
        CategoryCount(category="Concentrates", perMille=3_500),
        CategoryCount(category="Edibles", measure=Measure.THC),
    )
    items = (
        item(2),
        item(category="Concentrates", weight_mg=1_001),
        item(3, category="Edibles", weight_mg=50_000, thc_mg=100),
        item(category="Accessories", weight_mg=900_000),
    )
    assert uses_of(session, cast.alice, bucket(1, 28_500, *counts), items=items) == [(0, 7_000 + 3_504 + 300)]


@pytest.mark.parametrize(
    ("used", "cart", "removed"),
    [
        (0, [item(9)], "Please remove 1 of Fern Hollow."),
        (28_000, [item(3)], "Please remove 3 of Fern Hollow."),
        (0, [item(8), item(1, name="Amber", product_id=2, weight_mg=1_000)], "Please remove 1 of Amber."),
        (
            28_500,
            [item(1), item(1, name="Amber", product_id=2, weight_mg=1_000)],
            "Please remove 1 of Fern Hollow and 1 of Amber.",
        ),
    ],
    ids=["one too many", "all of it", "the smallest that is enough", "several"],
)
def test_a_refusal_says_what_to_remove(used: int, cart: list[pricing.Item], removed: str) -> None:
    adds = sum(each.quantity * (each.weight_mg or 0) for each in cart)
    (blocker,) = allowance.blockers([allowance.Use(bucket(), used, adds)], cart)
    assert blocker.code == "legal_limit"
    assert blocker.message.endswith(removed), blocker.message


@pytest.mark.parametrize("used", [0, 7, 100, 120])
@pytest.mark.parametrize("quantities", [(99, 0), (60, 40), (1, 99), (99, 99)])
def test_what_a_refusal_says_to_remove_is_enough_and_one_less_is_not(used: int, quantities: tuple[int, int]) -> None:
    """Also where a single unit of a product counts as a fraction of a milligram."""
    limit = bucket(1, 100, CategoryCount(category="Edibles", measure=Measure.THC, perMille=250))
    names, thc_mg = ("Fern Hollow", "Amber"), (5, 7)

    def cart(counts: Sequence[int]) -> list[pricing.Item]:
        facts = enumerate(zip(names, counts, thc_mg, strict=True))
        return [
            item(count, name=name, product_id=number, category="Edibles", thc_mg=thc)
            for number, (name, count, thc) in facts
        ]

    def use(counts: Sequence[int]) -> allowance.Use:
        adds = sum(count * thc * 250 for count, thc in zip(counts, thc_mg, strict=True))
        return allowance.Use(limit, used, -(-adds // 1_000))

    (blocker,) = allowance.blockers([use(quantities)], cart(quantities))
    said = {name: int(count) for count, name in re.findall(r"([0-9]+) of (Fern Hollow|Amber)", blocker.message)}
    left = [count - said.get(name, 0) for name, count in zip(names, quantities, strict=True)]
    assert not use(left).refuses, blocker.message
    for index, name in enumerate(names):
        if name in said:
            one_more = [count + (number == index) for number, count in enumerate(left)]
            assert use(one_more).refuses, blocker.message


def test_a_cart_that_adds_nothing_is_not_refused_for_earlier_orders() -> None:
    over = allowance.Use(bucket(), 30_000, 0)
    assert not [*allowance.blockers([over], [item(category="Accessories")])]


def test_a_product_that_a_limit_cannot_count_is_not_sold() -> None:
    unknown = item(name="Maple", weight_mg=None)
    (blocker,) = allowance.blockers([allowance.Use(bucket(), 0, 0)], [unknown])
    assert blocker.code == "limit_unknown"
    assert "Maple" in blocker.message
    assert not [*allowance.blockers([allowance.Use(bucket(), 0, 0)], [item(category="Vapes", weight_mg=None)])]


def test_a_limit_says_what_the_cart_leaves_for_each_category() -> None:
    both = CategoryCount(category="Edibles", measure=Measure.THC), CategoryCount(category="Edibles", perMille=250)
    uses = [allowance.Use(bucket(1, 28_500, CategoryCount(category="THC Flower"), *both), 20_000, 5_000)]
    assert allowance.rooms(uses) == [
        allowance.Room("Edibles", per_weight=250, per_thc=1_000, left=3_500_000, when_over="Over today's limit"),
        allowance.Room("THC Flower", per_weight=1_000, per_thc=0, left=3_500_000, when_over="Over today's limit"),
    ]
    assert allowance.rooms([allowance.Use(bucket(), 28_500, 3_500)])[0].left < 0


@pytest.mark.parametrize(
    ("days", "said"),
    [(0, "Over the limit for one order"), (1, "Over today's limit"), (30, "Over the limit for 30 days")],
)
def test_what_does_not_fit_is_said_with_the_period_of_its_limit(days: int, said: str) -> None:
    (room,) = allowance.rooms([allowance.Use(bucket(days), 0, 0)])
    assert room.when_over == said


@pytest.mark.usefixtures("enforced")
def test_the_second_ounce_of_the_day_is_refused_with_the_figures(cast: Cast, fern: Product) -> None:
    place(cast.alice, fern, 8)
    made = quote(cast.alice, fern, 2)
    assert [blocker.code for blocker in made.blockers] == ["legal_limit"]
    sentence = made.blockers[0].message
    assert sentence.startswith(
        "Flower: the law allows 28.5 g a day. You have ordered 28 g today, and this cart adds 7 g."
    )
    assert made.wire()["limits"] == [
        {"code": "flower", "label": "Flower", "days": 1, "limitMg": 28_500, "usedMg": 28_000, "addsMg": 7_000}
    ]
    with pytest.raises(errors.OrderBlocked) as refused:
        place(cast.alice, fern, 2)
    assert (refused.value.blocker, refused.value.message) == ("legal_limit", sentence)


def test_without_enforcement_a_quote_names_no_limits(session: Session, cast: Cast, fern: Product) -> None:
    make_rules(session, buckets=flower_rules(limit=1))
    session.commit()
    assert "limits" not in quote(cast.alice, fern, 2).wire()


@pytest.mark.usefixtures("enforced")
def test_a_cart_says_how_much_of_each_limit_it_uses(session: Session, cast: Cast, fern: Product) -> None:
    place(cast.alice, fern, 3)
    shopper = session.get_one(User, cast.alice.id)
    cart.add_up_to(session, shopper, fern.id, 2)
    assert [(use.used_mg, use.adds_mg) for use in cart.show(session, shopper).uses] == [(10_500, 7_000)]


@pytest.mark.usefixtures("enforced")
def test_limits_take_one_statement(engine: Engine, session: Session, cast: Cast) -> None:
    rules = StateRules(buckets=(bucket(), bucket(30)))
    session.connection()
    with count_statements(engine) as statements:
        allowance.of(session, cast.alice.id, [item()], rules, NOON)
    assert len(statements) == 1
    with count_statements(engine) as statements:
        allowance.of(session, cast.alice.id, [item()], StateRules(buckets=(bucket(0),)), NOON)
    assert not statements


@pytest.mark.usefixtures("enforced")
def test_a_cancelled_order_is_reopened_only_within_the_limit(session: Session, cast: Cast, fern: Product) -> None:
    place(cast.alice, fern, 2)  # takes the one-time discount, which alone can keep an order from being reopened
    first = place(cast.alice, fern, 4)
    owner, shopper = session.get_one(User, cast.ada.id), session.get_one(User, cast.alice.id)

    def set_status(status: str) -> None:
        fulfilment.edit(session, owner, first["id"], parse(OrderEditForm, {"status": status}))

    set_status("cancelled")
    set_status("confirmed")
    set_status("cancelled")
    session.commit()
    place(shopper, fern, 3)
    with pytest.raises(fulfilment.CannotReopen, match="legal limit: Flower"):
        set_status("confirmed")


@pytest.mark.usefixtures("enforced")
def test_an_order_that_adds_nothing_to_an_exceeded_limit_is_reopened(
    session: Session, cast: Cast, fern: Product
) -> None:
    """The person bought more while that was allowed."""
    drops = make_product(session, "Linden Drops", category="Edibles", price_cents=120_00)
    session.commit()
    place(cast.alice, drops, 1)  # takes the one-time discount, which alone can keep an order from being reopened
    order = place(cast.alice, drops, 1)
    ordered(session, cast.alice, fern, 9, clock.now())
    owner = session.get_one(User, cast.ada.id)
    for status in ("cancelled", "confirmed"):
        edited = fulfilment.edit(session, owner, order["id"], parse(OrderEditForm, {"status": status}))
    assert edited.status == "confirmed"


def used_today(session: Session, who: User) -> int:
    session.rollback()
    (use,) = allowance.of(session, who.id, (), StateRules(buckets=(bucket(),)), clock.now())
    return use.used_mg


@pytest.mark.race
@pytest.mark.usefixtures("enforced")
def test_twenty_orders_at_once_stay_within_one_limit(session: Session, cast: Cast, fern: Product) -> None:
    answers = at_once([lambda: place(cast.alice, fern, 2)] * THREADS)
    refused = [each for each in answers if isinstance(each, errors.OrderBlocked)]
    assert {each.blocker for each in refused} == {"legal_limit"}
    assert len(answers) - len(refused) == 4
    assert used_today(session, cast.alice) == 28_000


@pytest.mark.race
@pytest.mark.usefixtures("enforced")
def test_control_looking_first_and_ordering_later_exceeds_it(
    session: Session, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the check in the order's own transaction, all twenty have seen that theirs would fit."""
    all_have_looked = Barrier(THREADS)
    judge = allowance.blockers

    def look_and_order() -> Any:
        uses = db.read(
            lambda s: allowance.of(s, cast.alice.id, [item(2)], StateRules(buckets=(bucket(),)), clock.now())
        )
        fits = not [*judge(uses, [item(2)])]
        all_have_looked.wait()
        return place(cast.alice, fern, 2) if fits else None

    monkeypatch.setattr(allowance, "blockers", lambda *_: iter(()))
    at_once([look_and_order] * THREADS)
    assert used_today(session, cast.alice) == THREADS * 7_000


ADDRESSES = {
    "no ZIP code": {"delivery_address": "The mill behind the bridge"},
    "no state": {"delivery_address": "214 Larch Street, Portland 97201"},
    "contradicting parts": {"state": "CA", "zip_code": "97201"},
}


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES.keys())
@pytest.mark.parametrize("is_enforced", [True, False], ids=["enforced", "not enforced"])
def test_an_order_whose_address_cannot_be_read_is_not_reopened_while_rules_are_enforced(
    session: Session, cast: Cast, fern: Product, address: dict[str, str], is_enforced: bool
) -> None:
    if "zip_code" in address:
        session.add(ZipPlace(zip_code="97201", state="OR", latitude=45.5, longitude=-122.7))
    if is_enforced:
        enforce_rules(session)
    order = ordered(session, cast.alice, fern, 1, clock.now())
    for name, value in address.items():
        setattr(order, name, value)
    order.status = OrderStatus.CANCELLED
    session.commit()
    owner = session.get_one(User, cast.ada.id)
    reopen = parse(OrderEditForm, {"status": "confirmed"})
    if is_enforced:
        with pytest.raises(fulfilment.CannotReopen, match="^The state and ZIP code of this order's address cannot"):
            fulfilment.edit(session, owner, order.id, reopen)
        corrected = {"status": "confirmed", "deliveryAddress": "214 Larch Street, Portland, OR 97201"}
        reopen = parse(OrderEditForm, corrected)
    assert fulfilment.edit(session, owner, order.id, reopen).status == "confirmed"
