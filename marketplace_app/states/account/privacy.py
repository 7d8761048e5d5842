"""The privacy page of the account: what the store has stored about the signed-in user, and withdrawing consent."""

from dataclasses import dataclass
from datetime import datetime

import reflex as rx

from marketplace_app import clock, messages, money
from marketplace_app.config import get_settings
from marketplace_app.schemas.account.stored_data import StoredDataView
from marketplace_app.services import stored_data
from marketplace_app.services.account import preferences
from marketplace_app.states.events.base import SIGNED_IN, Events, Updates, action, read, toast, write
from marketplace_app.states.events.failures import Say, ShowView
from marketplace_app.states.events.subscriptions import subscribe_to_own

CHOICES_ID = "privacy-choices"
"""The part of the page that gets the focus when the button that was pressed disappears."""
SETTINGS_PATH = "/account?tab=settings"


@dataclass(frozen=True)
class StoredRow:
    name: str
    stored: str
    why: str
    href: str = ""
    """The page on which it is shown and changed."""


class PrivacyState(rx.State):
    view: str = "loading"
    """loading, ready or failed"""
    rows: list[StoredRow] = []
    has_preferences: bool = False
    consented_on: str = ""
    """`Nov 23, 2026`, or nothing without consent to keep medical needs."""

    @action(who=SIGNED_IN, signed_out=messages.SIGN_IN_FOR_PRIVACY, on_failure=ShowView("failed"))
    async def load(self) -> Updates:
        """on_load and 'Try again'."""
        if self.view != "ready":
            self.view = "loading"
            yield None
        subscribe_to_own(self)
        await self._refresh()

    @action(who=SIGNED_IN, signed_out=messages.SIGN_IN_FOR_PRIVACY, on_failure=Say(messages.CONSENT_NOT_WITHDRAWN))
    async def withdraw_consent(self) -> Events:
        """Withdrawing consent erases medical needs."""
        await write(self, preferences.withdraw_medical_consent)
        await self._refresh()
        await toast(self, "success", messages.CONSENT_WITHDRAWN)
        return rx.set_focus(CHOICES_ID)

    @action(who=SIGNED_IN, signed_out=messages.SIGN_IN_FOR_PRIVACY, on_failure=Say(messages.PREFERENCES_NOT_DELETED))
    async def delete_preferences(self) -> Events:
        await write(self, preferences.delete)
        await self._refresh()
        await toast(self, "success", messages.PREFERENCES_DELETED)
        return rx.set_focus(CHOICES_ID)

    async def _refresh(self) -> None:
        """Read everything again. Also called when data of this user changed in another tab or on the server."""
        data = await read(self, stored_data.show)
        self.rows = _rows(data)
        self.has_preferences, self.consented_on = data.preferences_saved_at is not None, _date(data.medical_consent_at)
        self.view = "ready"


def _rows(view: StoredDataView) -> list[StoredRow]:
    return [*_rows_for_orders(view), *_other_rows(view)]


def _rows_for_orders(view: StoredDataView) -> list[StoredRow]:
    """What is needed for orders."""
    verified = f"Verified on {_date(view.age_verified_at)}" if view.age_verified_at else "Not verified yet"
    return [
        StoredRow("Account", view.email, "Your email, name and phone number, for orders and support.", SETTINGS_PATH),
        StoredRow("Age", verified, _age_reason(view.birth_dates)),
        StoredRow(
            "Addresses", _count(view.addresses, "address", "addresses"), "Used to fill in checkout.", SETTINGS_PATH
        ),
        StoredRow(
            "Orders",
            _count(view.orders, "order", "orders"),
            "Each with the name, address and phone number it was delivered to.",
            "/account?tab=orders",
        ),
        StoredRow(
            "Cart",
            _count(view.cart_products, "product", "products"),
            "Kept until you order or remove the products.",
            "/",
        ),
    ]


def _other_rows(view: StoredDataView) -> list[StoredRow]:
    saved = f"Saved on {_date(view.preferences_saved_at)}" if view.preferences_saved_at else "None"
    consented = f"Kept since {_date(view.medical_consent_at)}" if view.medical_consent_at else "None"
    return [
        StoredRow("Preferences", saved, "Used to pick products for you, and for nothing else.", "/preferences"),
        StoredRow(
            "Medical needs", consented, "Kept only with your consent. Not used to pick products.", "/preferences"
        ),
        StoredRow(
            "Referrals",
            f"{money.show(view.credit_cents)} credit",
            "Your referral code, your credit, and who used your code.",
            "/account?tab=referrals",
        ),
        StoredRow(
            "Support tickets", _count(view.tickets, "ticket", "tickets"), "What you and support wrote.", "/support"
        ),
        StoredRow(
            "Signed-in browsers",
            _count(view.browsers, "browser", "browsers"),
            "When each signed in and was last used. No location, no device name.",
        ),
    ]


def _age_reason(birth_dates: int) -> str:
    if not birth_dates:
        return "Required to order. Your date of birth is never stored."
    kept = _count(birth_dates, "order has", "orders have")
    return f"Required to order. {kept} your date of birth on record for some time: the rules of the state ask for it."


def _count(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"


def _date(at: datetime | None) -> str:
    return clock.show_date(at, get_settings().timezone) if at else ""
