"""Carts and orders are judged by the rules of the state that they go to (RULE state-rules, RULE enforced-place)."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.config import get_settings
from marketplace_app.models import Order, OrderLegalRecord, Product, ShopSetting, User, ZipPlace
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm, OrderForm, QuoteForm
from marketplace_app.schemas.buying.quotes import Quote
from marketplace_app.schemas.jurisdictions.state_rules import AddressKind, Hours, StateRules, Version
from marketplace_app.services import invariants
from marketplace_app.services.buying import cart, fulfilment, quotes
from marketplace_app.services.buying.cart import CartView
from marketplace_app.services.delivery import windows
from marketplace_app.services.delivery.slots import WindowFull
from marketplace_app.services.jurisdictions import enforcement
from tests.builders import (
    enforce_rules,
    make_order,
    make_product,
    make_rules,
    make_window,
    make_zone,
    order_form,
    place_order,
)
from tests.builders import slot_id as slot_of
from tests.conftest import Cast
from tests.counting import count_statements

PORTLAND = {"zip": "97201", "state": "OR"}
FLOWER = {
    "code": "flower",
    "label": "Flower",
    "days": 1,
    "limit": [{"value": 28_500, "source": "test"}],
    "counts": [{"category": "THC Flower"}],
}
SALES_TAX = {
    "code": "sales",
    "label": "Sales tax",
    "rate": [{"value": 1_700, "source": "test"}],
    "base": ["items"],
}


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=60_00, stock=50, net_weight_grams=3.5)
    session.commit()
    return product


@pytest.fixture
def enforced(session: Session, fern: Product) -> None:
    enforce_rules(session)
    session.commit()


def quote(who: User, product: Product, quantity: int = 2, **more: Any) -> Quote:
    form = parse(QuoteForm, {"items": [{"productId": product.id, "quantity": quantity}]} | more)
    return db.read(lambda session: quotes.make(session, session.get(User, who.id), form))


def refusal(who: User, form: OrderForm) -> tuple[str, str]:
    """The code and the sentence with which an order is refused."""
    with pytest.raises(errors.OrderBlocked) as refused:
        place_order(who, form)
    return refused.value.blocker, refused.value.message


def show_cart(who: User) -> CartView:
    return db.read(lambda session: cart.show(session, session.get(User, who.id)))


def codes(made: Quote) -> list[str]:
    return [blocker.code for blocker in made.blockers]


def add_zip_place(session: Session, zip_code: str, state: str) -> None:
    session.add(ZipPlace(zip_code=zip_code, state=state, latitude=45.5, longitude=-122.7))
    session.commit()


def stop_enforcing(session: Session) -> None:
    session.add(ShopSetting(name="enforce_jurisdiction", previous=1, value=0, reason="test"))
    session.commit()


def count_orders() -> int:
    return db.read(lambda session: int(session.execute(text("SELECT COUNT(*) FROM orders")).scalar_one()))


def test_while_rules_are_not_enforced_none_is_read(engine: Engine, session: Session, cast: Cast, fern: Product) -> None:
    make_rules(session, delivery=False, taxes=[SALES_TAX])
    make_window(session, make_zone(session, "97201"))
    session.commit()
    with count_statements(engine) as statements:
        assert (codes(quote(cast.alice, fern, **PORTLAND)), "open" in quote(cast.bob, fern).wire()) == ([], True)
        placed = place_order(cast.alice, order_form((fern, 2)))
        assert len(db.read(lambda s: windows.list_offered(s, cast.alice, None))) == 2
    assert placed["tax"] == "0.00"
    assert not [each for each in statements if "jurisdiction_versions" in each or "zip_places" in each]
    assert session.execute(text("SELECT COUNT(*) FROM order_legal_records")).scalar_one() == 0


def test_in_a_state_with_reviewed_rules_an_order_is_placed_and_keeps_its_version(
    session: Session, cast: Cast, fern: Product, enforced: None
) -> None:
    make_rules(session, days_ago=30)
    in_force = make_rules(session, days_ago=1)
    make_rules(session, days_ago=-1)
    make_rules(session, is_reviewed=False)
    session.commit()
    assert codes(quote(cast.alice, fern, **PORTLAND)) == []
    first = place_order(cast.alice, order_form((fern, 2)))
    make_rules(session)
    session.commit()
    kept = session.get_one(OrderLegalRecord, first["id"])
    assert (kept.version_id, kept.birth_date) == (in_force.id, None)


def test_the_terms_of_a_zone_hold_where_rules_are_enforced(
    session: Session, cast: Cast, fern: Product, enforced: None
) -> None:
    make_rules(session)
    make_zone(session, "97201", fee_cents=12_00)
    session.commit()
    assert quote(cast.alice, fern, **PORTLAND).delivery_fee_cents == 12_00
    assert place_order(cast.alice, order_form((fern, 2)))["deliveryFee"] == "12.00"


def test_an_order_placed_at_midnight_is_judged_by_the_law_of_the_day_it_was_created_on(
    session: Session, cast: Cast, fern: Product, enforced: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    today, tomorrow = make_rules(session), make_rules(session, days_ago=-1)
    session.commit()
    midnight, second = at("00:00", 1), timedelta(seconds=1)
    before, after = midnight - second, midnight + second
    moments = iter([before])
    monkeypatch.setattr(clock, "now", lambda: next(moments, after))
    kept = session.get_one(OrderLegalRecord, place_order(cast.alice, order_form((fern, 2)))["id"])
    created = session.get_one(Order, kept.order_id).created_at
    assert (created, kept.version_id) in [(before, today.id), (after, tomorrow.id)]


def test_the_check_of_the_database_finds_an_order_that_was_judged_by_a_draft(
    session: Session, cast: Cast, fern: Product, enforced: None
) -> None:
    make_rules(session)
    draft = make_rules(session, is_reviewed=False)
    session.commit()
    placed = place_order(cast.alice, order_form((fern, 2)))

    def broken() -> list[str]:
        session.rollback()
        return [check.name for check in invariants.check(session) if not check.holds]

    assert broken() == []
    session.get_one(OrderLegalRecord, placed["id"]).version_id = draft.id
    session.commit()
    assert broken() == ["orders were judged by rules that had been reviewed"]


@pytest.mark.parametrize(
    ("lines", "code", "sentence"),
    [
        (
            {"is_reviewed": False},
            "jurisdiction_unknown",
            "We don't deliver to Oregon yet. Please choose an address in another state.",
        ),
        (
            {"days_ago": -1},
            "jurisdiction_unknown",
            "We don't deliver to Oregon yet. Please choose an address in another state.",
        ),
        (
            {"delivery": False},
            "delivery_not_allowed",
            "Oregon does not allow deliveries. Please choose an address in another state.",
        ),
        (
            {"cashOnDelivery": False},
            "cash_not_allowed",
            "Oregon does not allow cash on delivery, and we take nothing else. "
            "Please choose an address in another state.",
        ),
    ],
)
def test_what_the_state_does_not_allow_is_a_blocker_and_refuses_the_order(
    session: Session, cast: Cast, fern: Product, enforced: None, lines: dict[str, Any], code: str, sentence: str
) -> None:
    make_rules(session, **lines)
    make_rules(session, "CA")
    session.commit()
    made = quote(cast.alice, fern, **PORTLAND)
    assert [(each.code, each.message) for each in made.blockers] == [(code, sentence)]
    assert refusal(cast.alice, order_form((fern, 2))) == (code, sentence)
    assert count_orders() == 0
    assert place_order(cast.alice, order_form((fern, 2), deliveryAddress="1 Main Street, Los Angeles, CA 90012"))["id"]


def test_a_quote_names_all_that_is_wrong(session: Session, cast: Cast, fern: Product, enforced: None) -> None:
    make_zone(session, "97211")
    make_rules(session, delivery=False, cashOnDelivery=False, buckets=[FLOWER])
    session.commit()
    assert codes(quote(cast.alice, fern, 9, **PORTLAND)) == [
        "outside_delivery_area",
        "delivery_not_allowed",
        "cash_not_allowed",
        "legal_limit",
    ]


def test_a_legal_limit_refuses_what_is_over_it(session: Session, cast: Cast, fern: Product, enforced: None) -> None:
    make_rules(session, buckets=[FLOWER])
    session.commit()
    assert codes(quote(cast.alice, fern, 8, **PORTLAND)) == []
    assert codes(quote(cast.alice, fern, 9, **PORTLAND)) == ["legal_limit"]
    assert refusal(cast.alice, order_form((fern, 9)))[0] == "legal_limit"


def test_taxes_and_the_minimum_due_are_those_of_the_state(
    session: Session, cast: Cast, fern: Product, enforced: None
) -> None:
    version = make_rules(session, minimumDue="1.00", taxes=[SALES_TAX])
    make_order(session, cast.alice, 100_00, delivery_address="214 Larch Street, Portland, Oregon 97201")
    session.commit()
    terms = show_cart(cast.alice).terms
    assert (terms.minimum_due_cents, [tax.code for tax in terms.taxes]) == (1_00, ["sales"])
    assert terms.version is not None
    assert (terms.version.id, terms.version.state) == (version.id, "OR")


@pytest.mark.parametrize("has_zones", [True, False])
def test_a_quote_without_any_place_leaves_the_tax_open(
    session: Session, cast: Cast, fern: Product, enforced: None, has_zones: bool
) -> None:
    make_rules(session, taxes=[SALES_TAX])
    if has_zones:
        make_zone(session, "97201")
    session.commit()
    assert quote(cast.alice, fern).wire()["open"] == (["zone", "tax"] if has_zones else ["tax"])
    assert "open" not in quote(cast.alice, fern, **PORTLAND).wire()


def test_a_last_address_without_a_state_leaves_only_the_tax_open(
    session: Session, cast: Cast, fern: Product, enforced: None
) -> None:
    make_zone(session, "97201", fee_cents=12_00)
    make_order(session, cast.alice, 100_00, delivery_address="214 Larch Street, 97201")
    session.commit()
    made = quote(cast.alice, fern)
    assert (made.wire()["open"], made.delivery_fee_cents, made.blockers) == (["tax"], 12_00, ())


ADDRESS = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}


@pytest.mark.parametrize(
    "address",
    [
        {"deliveryAddress": "The old mill behind the river"},
        {"deliveryAddress": "214 Larch Street, Portland 97201"},
        {"deliveryAddress": None, "address": ADDRESS | {"zip": "ABCDE"}},
        {"deliveryAddress": None, "address": ADDRESS | {"state": "Somewhere"}},
    ],
)
@pytest.mark.parametrize("has_zones", [True, False])
def test_an_order_needs_an_address_with_a_state_and_a_zip_code(
    session: Session, cast: Cast, fern: Product, enforced: None, address: dict[str, Any], has_zones: bool
) -> None:
    make_rules(session)
    if has_zones:
        make_zone(session, "97201")
    session.commit()
    code, sentence = refusal(cast.alice, order_form((fern, 2), **address))
    assert (code, "both a state and a ZIP code" in sentence) == ("address_not_understood", True)
    assert count_orders() == 0


def test_a_quote_for_a_place_without_a_known_state_says_so(cast: Cast, fern: Product, enforced: None) -> None:
    for place_sent in ({"zip": "97201"}, {"zip": "97201", "state": "Somewhere"}):
        made = quote(cast.alice, fern, **place_sent)
        assert (codes(made), made.open) == (["address_not_understood"], ())


@pytest.mark.parametrize("state", ["OR", "or", "Oregon"])
def test_a_state_is_understood_by_its_letters_and_its_name(
    session: Session, cast: Cast, fern: Product, enforced: None, state: str
) -> None:
    make_rules(session)
    session.commit()
    assert codes(quote(cast.alice, fern, zip="97201-1234", state=state)) == []
    form = order_form((fern, 2), deliveryAddress=None, address=ADDRESS | {"state": state})
    assert place_order(cast.alice, form)["id"]


def test_a_zip_code_of_another_state_than_the_address_names_is_refused(
    session: Session, cast: Cast, fern: Product, enforced: None
) -> None:
    make_rules(session)
    make_rules(session, "CA")
    add_zip_place(session, "97201", "OR")
    sentence = "ZIP code 97201 is in Oregon, not in California. Please check the state and the ZIP code."
    (only,) = quote(cast.alice, fern, zip="97201", state="California").blockers
    assert (only.code, only.message) == ("address_not_understood", sentence)
    wrong = order_form((fern, 2), deliveryAddress="214 Larch Street, Portland, CA 97201")
    assert refusal(cast.alice, wrong) == ("address_not_understood", sentence)
    unknown_zip = order_form((fern, 2), deliveryAddress="1 Main Street, Los Angeles, CA 90012")
    assert place_order(cast.alice, unknown_zip)["id"], "a ZIP code that the table does not have contradicts nothing"


def test_without_a_state_in_the_address_that_of_its_zip_code_counts(
    session: Session, cast: Cast, fern: Product, enforced: None
) -> None:
    version = make_rules(session)
    add_zip_place(session, "97201", "OR")
    assert codes(quote(cast.alice, fern, zip="97201")) == []
    placed = place_order(cast.alice, order_form((fern, 2), deliveryAddress="214 Larch Street, Portland 97201"))
    assert session.get_one(OrderLegalRecord, placed["id"]).version_id == version.id


@pytest.mark.parametrize(
    ("address", "is_taken"),
    [
        ("9 Elm Street, Salem, OR 97301", True),
        ("9 Elm Street, Salem, Oregon 97301-0001", True),
        ("9 Elm Street 97302", True),
        ("9 Elm Street, Reno, NV 89501", False),
        ("9 Elm Street, Salem, OR 89502", False),
        ("9 Elm Street 97301", False),
        ("Ring twice", False),
    ],
)
def test_staff_move_an_order_only_within_the_state_that_it_was_judged_by(
    session: Session, cast: Cast, fern: Product, enforced: None, address: str, is_taken: bool
) -> None:
    make_rules(session)
    add_zip_place(session, "97302", "OR")
    add_zip_place(session, "89502", "NV")
    placed = place_order(cast.alice, order_form((fern, 2)))

    def move(to: str) -> str:
        form = parse(OrderEditForm, {"deliveryAddress": to})
        return db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), placed["id"], form)).delivery_address

    if is_taken:
        assert move(address) == address
        return
    with pytest.raises(errors.InvalidInput, match="judged by the rules of Oregon") as refused:
        move(address)
    assert list(refused.value.fields) == ["deliveryAddress"]
    stop_enforcing(session)
    assert move(address) == address


def test_an_order_that_was_judged_by_no_rules_is_moved_anywhere(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    placed = place_order(cast.alice, order_form((fern, 2)))
    enforce_rules(session)
    session.commit()
    form = parse(OrderEditForm, {"deliveryAddress": "The old mill"})
    with count_statements(engine) as statements:
        db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), placed["id"], form))
    assert not [each for each in statements if "shop_settings" in each or "jurisdiction_versions" in each]


def test_times_outside_the_hours_are_neither_listed_nor_taken(
    session: Session, cast: Cast, fern: Product, enforced: None
) -> None:
    zone = make_zone(session, "97201")
    late = slot_of(make_window(session, zone))
    early = slot_of(make_window(session, zone, opens_minute=10 * 60, closes_minute=12 * 60))
    make_rules(session, hours={"opens": "08:00", "closes": "18:30"})
    make_order(session, cast.alice, 100_00, delivery_address="214 Larch Street, Portland, OR 97201")
    session.commit()
    listed = db.read(lambda s: windows.list_offered(s, cast.alice, None))
    assert {slot.id.split("-")[0] for slot in listed} == {early.split("-")[0]}
    sentence = "Deliveries in Oregon come between 8 AM and 6:30 PM. Please choose another time."
    (only,) = quote(cast.alice, fern, slotId=late, **PORTLAND).blockers
    assert (only.code, only.message) == ("outside_hours", sentence)
    assert refusal(cast.alice, order_form((fern, 2), slotId=late)) == ("outside_hours", sentence)
    assert codes(quote(cast.alice, fern, slotId=early, **PORTLAND)) == []
    assert place_order(cast.alice, order_form((fern, 2), slotId=early))["delivery"]["windowStart"]


def test_of_a_full_time_only_lawful_others_are_named(
    session: Session, cast: Cast, fern: Product, enforced: None
) -> None:
    zone = make_zone(session, "97201")
    make_window(session, zone, opens_minute=19 * 60, closes_minute=20 * 60)
    full = slot_of(make_window(session, zone, opens_minute=10 * 60, closes_minute=12 * 60, capacity=1))
    make_rules(session, hours={"opens": "08:00", "closes": "18:30"})
    session.commit()
    place_order(cast.bob, order_form((fern, 2), slotId=full))
    with pytest.raises(WindowFull) as refused:
        place_order(cast.alice, order_form((fern, 2), slotId=full))
    assert {each["id"].split("-")[0] for each in refused.value.body()["windows"]} == {full.split("-")[0]}


def rules(**lines: Any) -> Version:
    return Version(1, StateRules(**lines), "OR")


def at(clock_time: str, days: int = 0) -> datetime:
    """A time on a day at the store."""
    hour, minute = map(int, clock_time.split(":"))
    day = clock.today(get_settings().timezone) + timedelta(days=days)
    return datetime(day.year, day.month, day.day, tzinfo=get_settings().timezone) + timedelta(
        hours=hour, minutes=minute
    )


@pytest.mark.parametrize(
    ("starts", "ends", "is_lawful"),
    [
        ("08:00", "20:00", True),
        ("07:59", "09:00", False),
        ("19:00", "20:01", False),
        ("19:00", "24:00", False),
        ("21:00", "22:00", False),
    ],
)
def test_a_time_lies_within_the_hours_as_a_whole(starts: str, ends: str, is_lawful: bool) -> None:
    hours = Hours.model_validate({"opens": "08:00", "closes": "20:00"})
    found = enforcement.slot_blocker(rules(hours=hours), at(starts, 1), at(ends, 1), at("12:00"))
    assert (found is None) is is_lawful


def test_hours_until_midnight_take_what_ends_at_midnight() -> None:
    hours = Hours.model_validate({"opens": "08:00", "closes": "24:00"})
    assert enforcement.slot_blocker(rules(hours=hours), at("22:00", 1), at("24:00", 1), at("12:00")) is None


@pytest.mark.parametrize(
    ("ordered", "days", "is_lawful"), [("15:59", 0, True), ("16:00", 0, False), ("20:00", 0, False), ("20:00", 1, True)]
)
def test_what_comes_today_is_ordered_before_the_order_by_time(ordered: str, days: int, is_lawful: bool) -> None:
    found = enforcement.slot_blocker(rules(order_until=16 * 60), at("21:00", days), at("22:00", days), at(ordered))
    assert (found is None) is is_lawful
    if found:
        assert (found.code, found.message) == (
            "ordered_too_late",
            "In Oregon an order must be placed by 4 PM to be delivered on the same day. Please choose another day.",
        )


@pytest.mark.parametrize(
    ("kinds", "sentence"),
    [
        (["residence"], "Deliveries in Oregon go to homes only: not to businesses, hotels or dormitories."),
        (
            ["residence", "business"],
            "Deliveries in Oregon go to homes and businesses only: not to hotels or dormitories.",
        ),
        (["residence", "business", "hotel", "dormitory"], ""),
        (None, ""),
    ],
)
def test_the_kinds_of_addresses_are_said_in_a_sentence(kinds: list[str] | None, sentence: str) -> None:
    allowed = None if kinds is None else tuple(map(AddressKind, kinds))
    assert enforcement.address_notice(rules(address_kinds=allowed)) == sentence
    assert enforcement.address_notice(None) == ""


def test_enforcing_takes_one_more_statement_a_quote_and_two_an_order(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    """An order also writes which version it was judged by."""
    make_rules(session)
    session.commit()
    place_order(cast.alice, order_form((fern, 2)))  # the first purchase also claims its discount

    def count() -> tuple[int, int]:
        with count_statements(engine) as of_quote:
            quote(cast.alice, fern, **PORTLAND)
        with count_statements(engine) as of_order:
            place_order(cast.alice, order_form((fern, 2)))
        return len(of_quote), len(of_order)

    before = count()
    enforce_rules(session)
    session.commit()
    assert count() == (before[0] + 1, before[1] + 2)
