"""People, as shown to themselves, and what they send about themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from marketplace_app import clock, money
from marketplace_app.schemas.base import Answer, Form


def _date(value: object) -> date:
    if not isinstance(value, str):
        raise ValueError("a date such as 1990-04-17 is expected")
    try:
        born = date.fromisoformat(value[:10])
    except ValueError:
        raise ValueError("a date such as 1990-04-17 is expected") from None
    if len(value) > 10 and value[10] != "T":
        raise ValueError("a date such as 1990-04-17 is expected")
    return born


class AgeForm(Form):
    """An ISO date; a client that sends a whole ISO moment means its date."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"dateOfBirth": "1990-04-17"}

    date_of_birth: Annotated[date, BeforeValidator(_date)]


@dataclass(frozen=True)
class UserView:
    id: int
    email: str
    first_name: str
    last_name: str
    created_at: datetime
    is_admin: bool
    has_access: bool
    age_verified_at: datetime | None
    first_purchase_discount_used: bool
    referral_bonus_used: bool
    referred_by: int | None
    referral_credit_cents: int
    total_orders: int
    total_spent_cents: int

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "email": self.email,
            "firstName": self.first_name,
            "lastName": self.last_name,
            "createdAt": clock.iso(self.created_at),
            "isAdmin": self.is_admin,
            "hasAccess": self.has_access,
            "ageVerified": self.age_verified_at is not None,
            "firstPurchaseDiscountUsed": self.first_purchase_discount_used,
            "referralBonusUsed": self.referral_bonus_used,
            "referredBy": self.referred_by,
            "referralCredit": money.decimal(self.referral_credit_cents),
            "banned": False,
            "totalOrders": self.total_orders,
            "totalSpent": money.decimal(self.total_spent_cents),
        }


class UserAnswer(Answer):
    id: int
    email: str = Field(examples=["shopper@example.com"])
    first_name: str
    last_name: str
    created_at: datetime
    is_admin: bool
    has_access: bool
    age_verified: bool
    first_purchase_discount_used: bool
    referral_bonus_used: bool
    referred_by: int | None
    referral_credit: str
    banned: bool
    total_orders: int
    total_spent: str


class AgeAnswer(Answer):
    is_valid: bool
    message: str = Field(examples=["You must be 21 or older to enter this store."])


class SignedOutAnswer(Answer):
    message: str = Field(examples=["Logged out successfully"])


class ExportAnswer(Answer):
    """Each part as its own route answers it."""

    exported_at: datetime
    account: UserAnswer
    cart: list[dict[str, Any]]
    orders: list[dict[str, Any]]
    preferences: dict[str, Any]
    referrals: dict[str, Any]
    credit: list[dict[str, Any]]
    invitations: list[dict[str, Any]]
    tickets: list[dict[str, Any]]
    sessions: list[dict[str, Any]]
