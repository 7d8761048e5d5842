"""Referral codes, and the statement of the credit earned with them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from marketplace_app import codes
from marketplace_app.schemas.base import Answer, Form, Moment, Money, View

MAX_REFERRAL_INPUT = 40
"""Longer than a code, to allow for spaces and dashes."""


def _code(text: str) -> str:
    code = codes.normalize_referral_code(text)
    if not code:
        raise ValueError("Please enter a referral code.")
    return code


class ApplyForm(Form):
    """Spaces, dashes and case do not matter: codes are read aloud and typed from paper."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"referralCode": "K7MTR4WQ"}

    referral_code: Annotated[str, Field(max_length=MAX_REFERRAL_INPUT), AfterValidator(_code)]


class CodeInput(Form):
    text: Annotated[str, Field(max_length=MAX_REFERRAL_INPUT)]


class ReferralStats(View):
    completed_referrals: int
    available_credit_cents: Money = Field(examples=["200.00"])


class CreditState(StrEnum):
    """What a line of the statement is."""

    EARNED = "earned"
    PENDING = "pending"
    REVERSED = "reversed"
    SPENT = "spent"
    REFUNDED = "refunded"
    ADJUSTED = "adjusted"
    CHANGE = "change"
    """Change from cash that the user overpaid at the door, kept as credit."""
    CHANGE_RETURNED = "change_returned"
    """Such change, given back in cash: it is no longer credit."""


class StatementLine(View):
    at: Moment
    what: str = Field(examples=["Mary"])
    """`Mary`, `Order 4790`"""
    state: CreditState
    amount_cents: Money = Field(examples=["100.00"])


@dataclass(frozen=True)
class ReferralsView:
    """What the referral panel shows."""

    code: str
    stats: ReferralStats
    referred_by: str
    """The name of the user whose code was applied; empty if none was."""
    can_apply: bool
    statement: tuple[StatementLine, ...]
    """Newest first."""


@dataclass(frozen=True)
class Welcome:
    """What the page that a referral link opens shows."""

    first_name: str
    discount_cents: int


class ReferralCodeAnswer(Answer):
    referral_code: str = Field(examples=["K7MTR4WQ"])


class ReferralAppliedAnswer(Answer):
    referrer_name: str = Field(examples=["Mary"])
