"""The shop settings: valid values, who may change them, and their effect on new orders only."""

from collections.abc import Callable
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, select

from marketplace_app import clock, db
from marketplace_app.errors import InvalidInput, NotAllowed
from marketplace_app.faq import cash_on_delivery, settings_texts
from marketplace_app.models import AuditEntry, CreditEntry, Order, OrderStatus, Product, Role, ShopSetting, User
from marketplace_app.schemas.account.invitations import InvitationForm
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm, QuoteForm
from marketplace_app.schemas.setting_fields import SETTINGS, Unit
from marketplace_app.schemas.settings import DEFAULTS, HistoryQuery, SettingsForm, ShopSettings
from marketplace_app.schemas.tickets import TicketForm
from marketplace_app.services import referrals, settings
from marketplace_app.services.account import invitations
from marketplace_app.services.buying import cart, fulfilment, orders, quotes
from marketplace_app.services.support import tickets
from tests.builders import make_product, make_user, order_form
from tests.conftest import Cast
from tests.counting import count_statements


def form(**changes: Any) -> SettingsForm:
    return parse(SettingsForm, {"reason": "A quiet week."} | changes)


def set_to(session: Session, cast: Cast, **changes: Any) -> ShopSettings:
    now = settings.change(session, cast.ada, form(**changes))
    session.commit()
    return now


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, price_cents=50_00, stock=500)
    session.commit()
    return product


def test_without_any_change_the_default_numbers_hold(session: Session) -> None:
    assert settings.current(session) == ShopSettings(100_00, 25_00, 200_00, 48, 72, 25, 100_00, 100_00, 7, 9, 21)


def test_the_newest_change_of_each_holds_and_the_rest_stays(session: Session, cast: Cast) -> None:
    set_to(session, cast, minimumOrder="80.00", invitationDays=14)
    set_to(session, cast, minimumOrder="60.50")
    assert settings.current(session) == ShopSettings(minimum_order_cents=60_50, invitation_days=14)


def test_each_change_is_recorded_with_its_previous_value_author_and_reason(session: Session, cast: Cast) -> None:
    set_to(session, cast, minimumOrder="80.00", reason="Rent is due.")
    set_to(session, cast, minimumOrder="60.00", deliveryFee="0")
    total, history = settings.list_history(session, cast.ada, HistoryQuery())
    assert total == 3
    seen = [(each.setting.name, each.previous, each.value, each.reason, each.by) for each in history]
    assert seen == [
        ("delivery_fee_cents", 25_00, 0, "A quiet week.", "Ada"),
        ("minimum_order_cents", 80_00, 60_00, "A quiet week.", "Ada"),
        ("minimum_order_cents", 100_00, 80_00, "Rent is due.", "Ada"),
    ]


def test_each_change_is_audited_with_from_and_to(session: Session, cast: Cast) -> None:
    set_to(session, cast, firstPurchasePercent=30)
    entry = session.exec(select(AuditEntry)).one()
    assert (entry.action, entry.subject, entry.actor_id) == (
        "settings.changed",
        "setting:first_purchase_percent",
        cast.ada.id,
    )
    assert entry.details == {"from": 25, "to": 30}


def test_saving_the_same_values_again_changes_nothing(session: Session, cast: Cast) -> None:
    set_to(session, cast, minimumOrder="100.00", deliveryHours=48)
    assert session.exec(select(ShopSetting)).all() == []
    assert session.exec(select(AuditEntry)).all() == []


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda each: each.wire_name)
def test_every_number_has_a_lowest_and_a_highest(session: Session, cast: Cast, setting: Any) -> None:
    for value in (setting.minimum - 1, setting.maximum + 1):
        if value >= 0 and setting.unit is not Unit.YES_NO:
            with pytest.raises(InvalidInput) as refused:
                settings.change(session, cast.ada, form(**{setting.wire_name: setting.wire(value)}))
            assert refused.value.fields == {setting.wire_name: setting.range}
    assert ShopSettings().changed({setting.name: DEFAULTS[setting.name]}) == ShopSettings()
    assert setting.minimum <= DEFAULTS[setting.name] <= setting.maximum


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"minimumOrder": "200.01"}, "freeDelivery"),
        ({"freeDelivery": "99.99"}, "freeDelivery"),
        ({"deliveryHours": 73}, "weekendDeliveryHours"),
        ({"referralDiscount": "0"}, "referralCredit"),
        ({"supportOpensHour": 21}, "supportClosesHour"),
    ],
)
def test_contradictory_settings_are_refused(session: Session, cast: Cast, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        settings.change(session, cast.ada, form(**changes))
    assert list(refused.value.fields) == [field]
    assert settings.current(session) == ShopSettings()


@pytest.mark.parametrize("role", [Role.MANAGER, Role.SUPPORT, Role.VIEWER, Role.CUSTOMER])
def test_owners_alone_change_them(session: Session, cast: Cast, role: Role) -> None:
    person = make_user(session, "dora", role=role)
    with pytest.raises(NotAllowed):
        settings.change(session, person, form(deliveryFee="1.00"))
    if role is Role.CUSTOMER:
        with pytest.raises(NotAllowed):
            settings.show(session, person)
        with pytest.raises(NotAllowed):
            settings.list_history(session, person, HistoryQuery())
    else:
        assert settings.show(session, person) == ShopSettings()


@pytest.mark.parametrize("statement", ["UPDATE shop_settings SET value = 1", "DELETE FROM shop_settings"])
def test_the_database_refuses_to_change_the_history(session: Session, cast: Cast, statement: str) -> None:
    set_to(session, cast, deliveryFee="1.00")
    with pytest.raises(DBAPIError, match="append-only"):
        session.execute(text(statement))


def test_two_changes_at_once_cannot_contradict_each_other(engine: Engine, cast: Cast) -> None:
    """Each alone would stand; together free delivery would begin under the minimum."""
    outcomes: list[str] = []
    start = Barrier(2)

    def attempt(changes: dict[str, str]) -> None:
        start.wait()
        try:
            db.write(lambda session: settings.change(session, session.get_one(User, cast.ada.id), form(**changes)))
            outcomes.append("saved")
        except InvalidInput:
            outcomes.append("refused")

    threads = [Thread(target=attempt, args=(each,)) for each in ({"minimumOrder": "180"}, {"freeDelivery": "120"})]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused", "saved"]
    assert db.read(settings.current).problems() == {}


def test_cart_quote_and_order_are_priced_with_them(session: Session, cast: Cast, fern: Product) -> None:
    set_to(session, cast, minimumOrder="40.00", deliveryFee="10.00", freeDelivery="90.00", firstPurchasePercent=10)
    wanted = parse(QuoteForm, {"items": [{"productId": fern.id, "quantity": 1}]})
    made = quotes.make(session, cast.alice, wanted)
    assert (made.delivery_fee_cents, made.new_customer_discount_cents, made.blockers) == (10_00, 5_00, ())
    assert cart.show(session, cast.alice).shop.minimum_order_cents == 40_00
    placed = orders.place(session, cast.alice, order_form((fern, 1)), key=None)
    assert placed["total"] == "55.00"


def test_an_order_keeps_what_it_was_priced_and_promised_with(session: Session, cast: Cast, fern: Product) -> None:
    placed = orders.place(session, cast.alice, order_form((fern, 3)), key=None)
    session.commit()
    set_to(session, cast, deliveryFee="99.00", firstPurchasePercent=90, deliveryHours=12)
    assert orders.get(session, cast.alice, placed["id"]).wire() == placed
    later = orders.place(session, cast.bob, order_form((fern, 3)), key=None)
    assert later["total"] == "114.00"
    order = session.get_one(Order, later["id"])
    assert order.estimated_delivery_at - order.created_at == timedelta(hours=12)


def test_a_referrer_is_due_what_was_promised_when_the_friend_ordered(
    session: Session, cast: Cast, fern: Product
) -> None:
    cast.bob.referred_by_id = cast.alice.id
    session.add(cast.bob)
    set_to(session, cast, referralCredit="30.00", referralDiscount="20.00")
    placed = orders.place(session, cast.bob, order_form((fern, 3)), key=None)
    assert placed["referralDiscount"] == "20.00"
    set_to(session, cast, referralCredit="500.00")
    pending = referrals.list_statement(session, cast.alice)
    assert [line.amount_cents for line in pending] == [30_00]
    for status in ("delivered", "cancelled", "delivered"):
        fulfilment.edit(session, cast.ada, placed["id"], parse(OrderEditForm, {"status": status}))
    entries = session.exec(select(CreditEntry).where(CreditEntry.user_id == cast.alice.id)).all()
    assert [entry.amount_cents for entry in entries] == [30_00, -30_00, 30_00]
    assert session.get_one(Order, placed["id"]).status is OrderStatus.DELIVERED


def test_an_agreed_total_is_compared_with_the_settings_of_the_moment(
    as_user: Callable[..., Any], session: Session, cast: Cast, fern: Product
) -> None:
    alice = as_user(cast.alice)
    items = [{"productId": fern.id, "quantity": 3}]
    agreed = alice.post("/api/orders/quote", json={"items": items}).json()["total"]
    set_to(session, cast, firstPurchasePercent=0)
    draft = order_form((fern, 3)).model_dump(by_alias=True, exclude_none=True, mode="json") | {"total": agreed}
    refused = alice.post("/api/orders", json=draft)
    assert (refused.status_code, refused.json()["code"]) == (409, "quote_changed")
    assert refused.json()["quote"]["total"] == "175.00"


def test_pricing_asks_for_them_once(engine: Engine, session: Session, cast: Cast, fern: Product) -> None:
    for days in range(8, 20):
        set_to(session, cast, invitationDays=days)
    with count_statements(engine) as sent:
        orders.place(session, cast.alice, order_form((fern, 3)), key=None)
    assert len([each for each in sent if "shop_settings" in each]) == 1


def test_invitations_are_good_for_as_many_days_as_are_set(session: Session, cast: Cast) -> None:
    set_to(session, cast, invitationDays=2)
    sent = invitations.send(session, cast.ada, parse(InvitationForm, {"email": "robin@example.net"}))
    assert abs(sent.expires_at - clock.now() - timedelta(days=2)) < timedelta(minutes=1)


def test_support_tells_by_its_own_hours_when_it_answers(session: Session, cast: Cast) -> None:
    set_to(session, cast, supportOpensHour=0, supportClosesHour=24)
    parsed = parse(TicketForm, {"subject": "Help", "message": "My child ate a gummy and cannot stand"})
    assert tickets.create(session, cast.alice, parsed).analysis.estimated_resolution == "Immediately"


def test_texts_of_pages_follow_the_settings() -> None:
    usual = settings_texts(ShopSettings())
    assert usual.percent_off == "25% OFF"
    assert usual.delivery_time == "Processing takes 2-4 hours; delivery within 48 hours (weekends 48-72 hours)."
    assert usual.support_hours == "9 AM-9 PM, 7 days a week"
    other = settings_texts(
        ShopSettings(
            minimum_order_cents=0,
            delivery_fee_cents=0,
            delivery_hours=1,
            weekend_delivery_hours=1,
            first_purchase_percent=0,
            referral_discount_cents=0,
            referral_credit_cents=0,
            support_closes_hour=24,
        )
    )
    assert (other.percent_off, other.referral_off, other.free_shipping) == ("", "", "on every order")
    assert "$0" not in f"{other.referred_get} {other.referrer_gets} {other.code_gives}"
    assert other.delivery_time == "Processing takes 2-4 hours; delivery within 1 hour."
    assert other.delivery_fee == "Delivery is free."
    assert other.minimum_order == "There is no minimum order."
    assert other.support_hours == "9 AM-12 AM, 7 days a week"


def test_texts_of_a_shop_with_zones_leave_what_the_place_decides_to_the_checkout() -> None:
    texts = settings_texts(ShopSettings(), has_zones=True)
    for told in (texts.free_shipping, texts.delivery_fee, texts.minimum_order):
        assert "$" not in told
    assert "your ZIP code" in texts.delivery_fee
    assert "Free delivery" not in cash_on_delivery(ShopSettings(), None)


def test_the_privacy_text_says_what_becomes_of_a_birth_date_while_rules_are_applied() -> None:
    usual = settings_texts(ShopSettings()).birth_date
    assert usual == "Your date of birth is checked and not kept. We only record that you are 21 or older."
    applied = settings_texts(ShopSettings(enforce_jurisdiction=1)).birth_date
    assert "kept with that order alone, for as long as the rules say" in applied


def test_the_faq_promises_rush_delivery_only_when_the_shop_offers_it(session: Session, cast: Cast) -> None:
    assert "for an extra fee" in settings_texts(settings.current(session)).rush_delivery
    after = settings.change(session, cast.ada, form(offersRushDelivery=False))
    assert settings_texts(after).rush_delivery == ""
    assert after.wire()["offersRushDelivery"] is False
