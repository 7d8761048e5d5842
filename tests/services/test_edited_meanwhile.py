"""A form never overwrites a change that was saved after the form was opened."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app.errors import EditedMeanwhile
from marketplace_app.models import Order, User
from marketplace_app.schemas.admin.users import UserForm
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.schemas.settings import SettingsForm
from marketplace_app.services import credits, settings
from marketplace_app.services.admin import user_actions
from marketplace_app.services.buying import fulfilment
from tests.builders import give_credit, make_order
from tests.conftest import Cast

THEIRS: dict[str, Any] = {
    "status": "confirmed",
    "contactPhone": "503 555 0100",
    "deliveryAddress": "9 Larch Street",
    "paymentInstructions": "Exact change",
    "estimatedDelivery": "2026-11-25T07:41:33Z",
}


@pytest.fixture
def order(session: Session, cast: Cast) -> Order:
    made = make_order(session, cast.alice, 100_00)
    session.commit()
    return made


@pytest.mark.parametrize("field", THEIRS)
def test_an_order_edited_meanwhile_is_not_overwritten(session: Session, cast: Cast, order: Order, field: str) -> None:
    ours = THEIRS | {"status": "cancelled", "contactPhone": "503 555 0188", "deliveryAddress": "7 Larch Street"}
    ours |= {"paymentInstructions": "Ring twice", "estimatedDelivery": datetime(2026, 11, 26, tzinfo=UTC).isoformat()}
    seen = fulfilment.editable_values(order)
    fulfilment.edit(session, cast.ada, order.id, parse(OrderEditForm, {field: THEIRS[field]}))
    saved = fulfilment.editable_values(order)
    with pytest.raises(EditedMeanwhile) as refused:
        fulfilment.edit(session, cast.ada, order.id, parse(OrderEditForm, {field: ours[field]}), seen=seen)
    assert refused.value.fields == (field,)
    assert (refused.value.status, refused.value.code) == (409, "edited_meanwhile")
    assert fulfilment.editable_values(order) == saved
    fulfilment.edit(session, cast.ada, order.id, parse(OrderEditForm, {field: ours[field]}), seen=saved)
    assert fulfilment.editable_values(order)[field] != saved[field]


def test_equal_or_separate_concurrent_edits_are_accepted(session: Session, cast: Cast, order: Order) -> None:
    seen = fulfilment.editable_values(order)
    fulfilment.edit(session, cast.ada, order.id, parse(OrderEditForm, THEIRS))
    both = {"status": "confirmed", "deliveryInstructions": "Back door."}
    fulfilment.edit(session, cast.ada, order.id, parse(OrderEditForm, both), seen=seen)
    saved = fulfilment.editable_values(order)
    assert (saved["status"].value, saved["contactPhone"], saved["deliveryInstructions"]) == (
        "confirmed",
        "503 555 0100",
        "Back door.",
    )


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({"firstName": "Nora"}, {"firstName": "Eleonora"}),
        ({"lastName": "Larch"}, {"lastName": "Fern"}),
        ({"email": "nora@example.org"}, {"email": "eleonora@example.org"}),
        ({"referralCredit": "100.00"}, {"referralCredit": "25.50"}),
    ],
)
def test_a_user_edited_meanwhile_is_not_overwritten(
    session: Session, cast: Cast, theirs: dict[str, str], ours: dict[str, str]
) -> None:
    alice = cast.alice
    seen = user_actions.editable_values(alice, 0)
    user_actions.edit(session, cast.ada, alice.id, parse(UserForm, theirs))
    with pytest.raises(EditedMeanwhile) as refused:
        user_actions.edit(session, cast.ada, alice.id, parse(UserForm, ours), seen=seen)
    assert refused.value.fields == tuple(theirs)
    saved = user_actions.editable_values(session.get_one(User, alice.id), credits.balance(session, alice.id))
    user_actions.edit(session, cast.ada, alice.id, parse(UserForm, ours), seen=saved)


def test_credit_earned_meanwhile_is_not_overwritten(session: Session, cast: Cast) -> None:
    give_credit(session, cast.alice, 100_00)
    session.commit()
    form = parse(UserForm, {"referralCredit": "50.00"})
    with pytest.raises(EditedMeanwhile):
        user_actions.edit(session, cast.ada, cast.alice.id, form, seen=user_actions.editable_values(cast.alice, 0))
    assert credits.balance(session, cast.alice.id) == 100_00


def test_settings_edited_meanwhile_are_not_overwritten(session: Session, cast: Cast) -> None:
    def form(**changes: Any) -> SettingsForm:
        return parse(SettingsForm, changes | {"reason": "A quiet week."})

    seen = settings.current(session)
    settings.change(session, cast.ada, form(deliveryFee="30.00", invitationDays=9))
    settings.change(session, cast.ada, form(minimumOrder="80.00", invitationDays=9), seen=seen)
    with pytest.raises(EditedMeanwhile) as refused:
        settings.change(session, cast.ada, form(deliveryFee="20.00", minimumOrder="80.00"), seen=seen)
    assert refused.value.fields == ("deliveryFee",)
    assert settings.current(session).delivery_fee_cents == 30_00
