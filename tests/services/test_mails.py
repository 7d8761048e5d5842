"""What mails say, and when none is sent (RULE mails)."""

from datetime import date
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.models import FailureReason, OrderDelivery, OrderStatus
from marketplace_app.services import mails
from marketplace_app.services.dispatch import failures
from tests.builders import make_order, make_product
from tests.conftest import Cast

NOTHING_TO_PAY, EXACT_CASH = "There is nothing to pay.", "Please have exactly $50.00 in cash ready"


def compose(session: Session, kind: str, **payload: Any) -> mails.Mail:
    mail = mails.compose(session, kind, payload)
    assert mail is not None
    return mail


@pytest.mark.parametrize("status", OrderStatus)
def test_a_status_is_mailed_with_what_there_is_to_do(session: Session, cast: Cast, status: OrderStatus) -> None:
    order = make_order(session, cast.alice, 50_00)
    mail = compose(session, "order_status", order_id=order.id, status=status.value)
    text = mail.plain()
    assert mail.subject == f"Order {order.number}: {status.label}"
    assert (EXACT_CASH in text) is (status is OrderStatus.OUT_FOR_DELIVERY)
    assert (NOTHING_TO_PAY in text) is (status is OrderStatus.CANCELLED)
    assert f"/orders/{order.id}" in text
    assert f"/orders/{order.id}" in mail.html()


@pytest.mark.parametrize(
    ("kind", "more"),
    [("order_placed", {}), ("ready_question", {}), ("order_status", {"status": "out_for_delivery"})],
)
@pytest.mark.parametrize("cents", [50_00, 0])
def test_cash_is_asked_for_only_where_something_is_due(
    session: Session, cast: Cast, kind: str, more: dict[str, str], cents: int
) -> None:
    """Credit may pay for a whole order."""
    order = make_order(session, cast.alice, cents)
    facts: dict[str, Any] = {"zone_name": "East side", "promised_by": order.estimated_delivery_at, "door_pin": "4071"}
    session.add(OrderDelivery(order_id=order.id, ready_asked_at=clock.now(), **facts))
    session.flush()
    text = compose(session, kind, order_id=order.id, **more).plain()
    assert ("exactly $50.00 in cash ready" in text) is bool(cents)
    assert (NOTHING_TO_PAY in text) is not bool(cents)
    assert "$0.00" not in text


@pytest.mark.parametrize("reason", FailureReason)
def test_a_failed_delivery_is_mailed_with_its_reason_and_what_happens_next(
    session: Session, cast: Cast, reason: FailureReason
) -> None:
    order, rule = make_order(session, cast.alice, 50_00), failures.RULES[reason]
    mail = compose(session, "delivery_failed", order_id=order.id, reason=reason.value)
    assert mail.subject.endswith("cancelled" if rule.is_cancelled else "not delivered today")
    assert rule.sentence in mail.paragraphs[0]
    assert (NOTHING_TO_PAY in mail.plain()) is rule.is_cancelled


def test_a_failed_delivery_is_mailed_with_its_day_when_that_is_over(session: Session, cast: Cast) -> None:
    order = make_order(session, cast.alice, 50_00)
    today = clock.today(get_settings().timezone)
    for day, when in ((today, "today"), (date(2026, 11, 26), "on Nov 26, 2026")):
        facts = {"order_id": order.id, "reason": "not_home", "day": day.isoformat()}
        mail = compose(session, "delivery_failed", **facts)
        assert mail.subject == f"Order {order.number}: not delivered {when}"
        assert f"your order {order.number} {when} because" in mail.paragraphs[0]


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("order_placed", {}),
        ("order_status", {"status": "confirmed"}),
        ("ready_question", {}),
        ("slot_changed", {}),
        ("delivery_failed", {"reason": "not_home"}),
    ],
)
def test_no_mail_is_sent_about_an_order_that_was_deleted(
    session: Session, cast: Cast, kind: str, more: dict[str, str]
) -> None:
    order = make_order(session, cast.alice, 50_00, deleted_at=clock.now())
    assert mails.compose(session, kind, {"order_id": order.id} | more) is None


def test_a_product_is_named_below_a_subject_without_it_and_only_while_it_is_in_stock(session: Session) -> None:
    product = make_product(session, "Fern Hollow", stock=1)
    mail = compose(session, "back_in_stock", product_id=product.id)
    assert "Fern Hollow" not in mail.subject
    assert "Fern Hollow is back in stock." in mail.plain()
    product.stock = 0
    session.flush()
    assert mails.compose(session, "back_in_stock", {"product_id": product.id}) is None


@pytest.mark.parametrize(("days", "said"), [(1, "in one day."), (7, "in seven days."), (30, "in 30 days.")])
def test_an_invitation_says_how_long_it_lasts(session: Session, days: int, said: str) -> None:
    mail = compose(session, "invitation", first_name="", address="https://store.test/i/x", days=days)
    assert mail.paragraphs[0] == "Hello,"
    assert said in mail.paragraphs[2]
    assert mail.link == "https://store.test/i/x"


def test_an_invitation_names_a_flavor_if_the_shop_has_one_with_20_to_28_percent(session: Session) -> None:
    def said() -> bool:
        mail = compose(session, "invitation", first_name="", address="https://store.test/i/x")
        return "Flavors such as Citrus await you, with THC 20-28%." in mail.plain()

    make_product(session, "Faint", thc_percent=12, flavors=["Earthy"])
    strong = make_product(session, "Fern Hollow", thc_percent=24, flavors=["Citrus"])
    assert said()
    strong.is_active = False
    session.flush()
    assert not said()


def test_what_people_are_called_is_text_in_html_too(session: Session) -> None:
    mail = compose(session, "invitation", first_name="<b>Nora</b>", address="https://store.test/i/x")
    assert "&lt;b&gt;Nora&lt;/b&gt;" in mail.html()
    assert "<b>Nora</b>" in mail.plain()
