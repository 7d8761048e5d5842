"""Referrals, as asked for and as shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from marketplace_app import codes, money
from marketplace_app.schemas.base import Answer, Form


def _code(text: str) -> str:
    code = codes.normalise_referral_code(text)
    if not code:
        raise ValueError("Please enter a referral code.")
    return code


class ApplyForm(Form):
    """Spaces, dashes and case do not count: codes are read aloud and typed from paper."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"referralCode": "K7MTR4WQ"}

    referral_code: Annotated[str, Field(max_length=40), AfterValidator(_code)]


class CodeTyped(Form):
    text: Annotated[str, Field(max_length=40)]


@dataclass(frozen=True)
class ReferralStats:
    completed_referrals: int
    available_credit_cents: int

    def wire(self) -> dict[str, Any]:
        return {
            "completedReferrals": self.completed_referrals,
            "availableCredit": money.decimal(self.available_credit_cents),
        }


class CreditState(StrEnum):
    """What a line of the statement is: earned, still to come, spent, or put right."""

    EARNED = "earned"
    PENDING = "pending"
    REVERSED = "reversed"
    SPENT = "spent"
    REFUNDED = "refunded"
    ADJUSTED = "adjusted"


@dataclass(frozen=True)
class StatementLine:
    at: datetime
    what: str
    """`Mary`, `Order 4790`"""
    state: CreditState
    amount_cents: int


@dataclass(frozen=True)
class ReferralsView:
    """All that the referral panel shows."""

    code: str
    stats: ReferralStats
    referred_by: str
    """Whose code was applied; nothing when none was."""
    can_apply: bool
    statement: tuple[StatementLine, ...]
    """Newest first."""


@dataclass(frozen=True)
class Welcome:
    """What a referral link opens with."""

    first_name: str
    discount_cents: int


class ReferralCodeAnswer(Answer):
    referral_code: str = Field(examples=["K7MTR4WQ"])


class ReferralStatsAnswer(Answer):
    completed_referrals: int
    available_credit: str = Field(examples=["200.00"])


class ReferralAppliedAnswer(Answer):
    referrer_name: str = Field(examples=["Mary"])
