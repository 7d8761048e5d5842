"""A user's own account, as shown and as edited."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field

from marketplace_app.limits import MAX_NAME, MAX_PHONE, MIN_PHONE
from marketplace_app.messages import FIELD_MESSAGES
from marketplace_app.schemas.base import Answer, Form, Moment, Money, View
from marketplace_app.schemas.texts import one_line


def _date(value: object) -> date:
    with suppress(ValueError):
        if isinstance(value, str) and value[10:11] in ("", "T"):
            return date.fromisoformat(value[:10])
    raise ValueError("a date such as 1990-04-17 is expected")


class AgeForm(Form):
    """An ISO date; of an ISO date and time, the date counts."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"dateOfBirth": "1990-04-17"}

    date_of_birth: Annotated[date, BeforeValidator(_date)]


def _phone(text: str) -> str:
    """A phone number as the checkout requires it, or an empty text."""
    if text and len(text) < MIN_PHONE:
        raise ValueError(FIELD_MESSAGES["contactPhone"])
    return text


ProfileName = Annotated[str, Field(max_length=MAX_NAME), AfterValidator(one_line)]


class ProfileForm(Form):
    """What users may change in their own account. A field left out is unchanged; an empty string clears it."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"firstName": "Nora", "lastName": "Whitfield", "phone": "503 555 0142"}

    MESSAGES: ClassVar[Mapping[str, str]] = {
        "firstName": f"A first name can have at most {MAX_NAME} characters.",
        "lastName": f"A last name can have at most {MAX_NAME} characters.",
        "phone": FIELD_MESSAGES["contactPhone"],
    }

    first_name: ProfileName | None = None
    last_name: ProfileName | None = None
    phone: Annotated[str, Field(max_length=MAX_PHONE), AfterValidator(one_line), AfterValidator(_phone)] | None = None

    def columns(self) -> dict[str, str]:
        names = ("first_name", "last_name", "phone")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


class UserView(View):
    id: int
    email: str = Field(examples=["shopper@example.com"])
    first_name: str
    last_name: str
    phone: str = Field(examples=["503 555 0142"])
    created_at: Moment
    is_admin: bool
    has_access: bool
    is_age_verified: bool = Field(alias="ageVerified")
    first_purchase_discount_used: bool
    referral_bonus_used: bool
    referred_by: int | None
    referral_credit_cents: Money
    banned: bool
    """Always false here: a banned user cannot sign in."""
    total_orders: int
    total_spent_cents: Money


class AgeAnswer(Answer):
    is_valid: bool
    message: str = Field(examples=["You must be 21 or older to enter this store."])


class MessageAnswer(Answer):
    message: str = Field(examples=["Logged out successfully"])


class ExportAnswer(Answer):
    """Parts that have routes of their own have the form of those routes' answers. Orders leave out the door PIN."""

    exported_at: datetime
    account: UserView
    addresses: list[dict[str, Any]]
    cart: list[dict[str, Any]]
    saved: list[dict[str, Any]]
    stock_alerts: list[dict[str, Any]]
    orders: list[dict[str, Any]]
    preferences: dict[str, Any]
    referrals: dict[str, Any]
    credit: list[dict[str, Any]]
    invitations: list[dict[str, Any]]
    tickets: list[dict[str, Any]]
    sessions: list[dict[str, Any]]
    order_records: list[dict[str, Any]] | None = None
    deliveries: list[dict[str, Any]] | None = None
    recalls: list[dict[str, Any]] | None = None
    batch_questions: list[dict[str, Any]] | None = None
