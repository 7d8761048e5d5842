"""What the privacy page says that the store keeps (RULE privacy-page)."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import db, messages
from marketplace_app.models import User
from marketplace_app.schemas.account.preferences import PreferencesForm
from marketplace_app.schemas.account.stored_data import StoredDataView
from marketplace_app.schemas.base import parse
from marketplace_app.services.account import preferences
from marketplace_app.states.account.privacy import CHOICES_ID, PrivacyState, _rows
from tests.conftest import ON_SQLITE, Cast
from tests.states.conftest import SignInAs
from tests.states.tabs import focus, send, toast

NEW = StoredDataView(
    email="alice@example.org",
    addresses=0,
    orders=0,
    birth_dates=0,
    cart_products=0,
    tickets=0,
    browsers=1,
    credit_cents=0,
    age_verified_at=None,
    preferences_saved_at=None,
    medical_consent_at=None,
)
NIGHT = datetime(2026, 11, 24, 5, tzinfo=UTC)
"""Still the day before at the store."""


def stored(view: StoredDataView) -> dict[str, str]:
    return {row.name: row.stored for row in _rows(view)}


def test_a_new_account_has_nothing_but_its_email_and_this_browser() -> None:
    assert stored(NEW) == {
        "Account": "alice@example.org",
        "Age": "Not verified yet",
        "Addresses": "0 addresses",
        "Orders": "0 orders",
        "Cart": "0 products",
        "Preferences": "None",
        "Medical needs": "None",
        "Referrals": "$0.00 credit",
        "Support tickets": "0 tickets",
        "Signed-in browsers": "1 browser",
    }


def test_days_are_those_of_the_store() -> None:
    shown = stored(replace(NEW, age_verified_at=NIGHT, preferences_saved_at=NIGHT, medical_consent_at=NIGHT))
    assert shown["Age"] == "Verified on Nov 23, 2026"
    assert shown["Preferences"] == "Saved on Nov 23, 2026"
    assert shown["Medical needs"] == "Kept since Nov 23, 2026"


@pytest.mark.parametrize(
    ("birth_dates", "sentence"),
    [
        (0, "Your date of birth is never stored."),
        (1, "1 order has your date of birth on record"),
        (2, "2 orders have your date of birth on record"),
    ],
)
def test_a_birth_date_is_called_stored_only_where_an_order_has_it(birth_dates: int, sentence: str) -> None:
    [why] = [row.why for row in _rows(replace(NEW, birth_dates=birth_dates)) if row.name == "Age"]
    assert sentence in why
    assert ("never" in why) is (birth_dates == 0)


@ON_SQLITE
def test_what_was_withdrawn_or_deleted_is_gone_from_the_page(cast: Cast, sign_in_as: SignInAs) -> None:
    form = parse(PreferencesForm, {"preferredEffects": ["Relaxed"], "medicalConsent": True, "medicalNeeds": ["Stress"]})
    db.write(lambda s: preferences.save(s, s.get(User, cast.alice.id), form))
    sign_in_as(cast.alice)

    async def seen() -> list[tuple[bool, bool, str, bool]]:
        state: Any = await State().get_state(PrivacyState)
        steps = []
        for handler in ("load", "withdraw_consent", "delete_preferences"):
            is_focused = await send(state, handler) == [focus(CHOICES_ID)]  # the button is gone
            steps.append((state.has_preferences, bool(state.consented_on), (await toast(state))[0], is_focused))
        return steps

    assert asyncio.run(seen()) == [
        (True, True, "", False),
        (True, False, messages.CONSENT_WITHDRAWN.title, True),
        (False, False, messages.PREFERENCES_DELETED.title, True),
    ]
