"""The wire form of a view follows from the names and types of its fields."""

from datetime import datetime, timedelta, timezone

import pytest
from pydantic import Field, ValidationError

from marketplace_app.models import Synonym
from marketplace_app.schemas.base import Moment, MomentText, Money, View
from marketplace_app.schemas.buying.orders import OrderView
from marketplace_app.schemas.delivery.slots import OrderDeliveryView
from marketplace_app.schemas.search.searches import SynonymView

IN_PORTLAND = datetime(2026, 11, 20, 3, 40, 0, 999, tzinfo=timezone(timedelta(hours=-8)))


class Receipt(View):
    total_cents: Money
    amount_cents: Money = Field(examples=["-10.00"])
    paid_at: Moment
    noted_at: MomentText | None = Field(examples=["2026-11-20T11:40:00Z"])


RECEIPT = Receipt(total_cents=49_05, amount_cents=-10_00, paid_at=IN_PORTLAND, noted_at=None)
WIRE = {"total": "49.05", "amount": "-10.00", "paidAt": "2026-11-20T11:40:00Z", "notedAt": None}


def test_names_are_camel_case_amounts_decimal_and_moments_in_utc() -> None:
    assert RECEIPT.wire() == WIRE


def test_a_view_can_be_parsed_from_its_wire_form() -> None:
    """The tests of routes hold every answer against the view that it was made by."""
    assert Receipt.model_validate(WIRE).wire() == WIRE


@pytest.mark.parametrize("wrong", [49.05, True, "4,905", "--1.00", None])
def test_an_amount_is_cents_or_a_decimal_text(wrong: object) -> None:
    with pytest.raises(ValidationError):
        Receipt.model_validate(WIRE | {"total": wrong})


def test_its_documentation_is_of_the_wire() -> None:
    described = Receipt.model_json_schema(mode="serialization")["properties"]
    assert (described["total"]["type"], described["total"]["examples"]) == ("string", ["152.50"])
    assert (described["amount"]["type"], described["amount"]["examples"]) == ("string", ["-10.00"])
    assert (described["paidAt"]["type"], described["paidAt"]["format"]) == ("string", "date-time")


def test_it_is_made_of_a_row_by_the_names_of_its_fields() -> None:
    row = Synonym(id=3, term="joint", replacement="Pre-Roll", folded_term="joint", folded_replacement="pre-roll")
    view = SynonymView.of(row)
    assert (view.id, view.term, view.updated_at) == (3, "joint", row.updated_at)


def test_a_view_is_immutable() -> None:
    with pytest.raises(ValidationError):
        RECEIPT.total_cents = 1


STAFF_READ = {
    OrderView: (
        "subtotal_cents delivery_fee_cents new_customer_discount_cents referral_discount_cents "
        "promotion_discount_cents tax_cents credit_applied_cents cash_rounding_cents total_cents "
        "id number status created_at estimated_delivery_at quote_lines payment_method items delivery_address address "
        "contact_phone delivery_instructions payment_instructions customer_name customer_email history delivery"
    ),
    OrderDeliveryView: (
        "window_starts_at window_ends_at promised_by zone_name attempts substitution ready_asked_at ready_at"
    ),
}
FOR_THE_CUSTOMER = {"door_pin"}
"""Removed by `OrderView.without_door_pin`."""


@pytest.mark.parametrize("view", STAFF_READ)
def test_staff_read_what_is_listed_of_an_order(view: type[View]) -> None:
    assert view.model_fields.keys() - FOR_THE_CUSTOMER == set(STAFF_READ[view].split()), (
        "Answers to staff are made of this view too. List a field that they may read; remove one that only the "
        "customer may read in `without_door_pin` of schemas/buying/orders.py, and list it in FOR_THE_CUSTOMER."
    )
