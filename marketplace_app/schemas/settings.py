"""The shop's own numbers (RULE shop-settings): what they are, what they may be, and their defaults."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, ClassVar
from zoneinfo import ZoneInfo

from pydantic import ConfigDict, Field, ValidationInfo, field_validator
from pydantic.alias_generators import to_camel

from marketplace_app import clock, limits, messages, money
from marketplace_app.schemas.base import Answer, Cents, Form, PageQuery

A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class ShopSettings:
    """What holds at one moment. An order is priced with one of these and keeps what it was priced with."""

    minimum_order_cents: int = limits.MINIMUM_ORDER_CENTS
    delivery_fee_cents: int = limits.DELIVERY_FEE_CENTS
    free_delivery_cents: int = limits.FREE_DELIVERY_CENTS
    delivery_hours: int = limits.DELIVERY_WINDOW // timedelta(hours=1)
    weekend_delivery_hours: int = limits.WEEKEND_DELIVERY_HOURS
    first_purchase_percent: int = limits.FIRST_PURCHASE_PERCENT
    referral_discount_cents: int = limits.REFERRAL_DISCOUNT_CENTS
    referral_credit_cents: int = limits.REFERRAL_CREDIT_CENTS
    invitation_days: int = limits.INVITATION_LIFETIME // A_DAY
    support_opens_hour: int = limits.SUPPORT_OPENS_HOUR
    support_closes_hour: int = limits.SUPPORT_CLOSES_HOUR
    offers_rush_delivery: int = 1
    """1 or 0: whether the shop delivers on the same day for an extra fee."""

    @property
    def delivery_window(self) -> timedelta:
        return timedelta(hours=self.delivery_hours)

    @property
    def delivery_within(self) -> str:
        """`48 hours`"""
        return BY_NAME["delivery_hours"].show(self.delivery_hours)

    def weekend_note(self, placed_at: datetime, due: datetime, zone: ZoneInfo) -> str:
        """`Weekend deliveries can take up to 72 hours.`, or nothing: RULE delivery-estimate."""
        is_longer = self.weekend_delivery_hours > self.delivery_hours
        is_weekend = is_longer and clock.touches_weekend(placed_at, due, zone)
        return messages.weekend_note(self.weekend_delivery_hours) if is_weekend else ""

    @property
    def invitation_lifetime(self) -> timedelta:
        return self.invitation_days * A_DAY

    @property
    def support_hours(self) -> str:
        """`9 AM-9 PM`"""
        return f"{clock.show_hour(self.support_opens_hour)}-{clock.show_hour(self.support_closes_hour)}"

    def changed(self, changes: Mapping[str, int]) -> "ShopSettings":
        return replace(self, **changes)

    def values(self) -> dict[str, int]:
        return asdict(self)

    def wire(self) -> dict[str, Any]:
        values = self.values()
        return {each.wire_name: each.wire(values[each.name]) for each in SETTINGS}

    def problems(self) -> dict[str, str]:
        """A sentence per wire name of what cannot be, or cannot be together."""
        values = self.values()
        wrong = {each.wire_name: each.range for each in SETTINGS if not each.low <= values[each.name] <= each.high}
        return wrong or self._contradictions()

    def _contradictions(self) -> dict[str, str]:
        wrong = {}
        if self.free_delivery_cents < self.minimum_order_cents:
            wrong["freeDelivery"] = f"Must be at least the minimum order, {money.show_short(self.minimum_order_cents)}."
        if self.weekend_delivery_hours < self.delivery_hours:
            wrong["weekendDeliveryHours"] = f"Must be at least the usual delivery time, {self.delivery_hours} hours."
        if self.referral_credit_cents and not self.referral_discount_cents:
            wrong["referralCredit"] = (
                "Without a referral discount, orders are not linked to a referrer. Set this to $0 too."
            )
        if self.support_closes_hour <= self.support_opens_hour:
            wrong["supportClosesHour"] = (
                f"Must be later than {clock.show_hour(self.support_opens_hour)}, when support opens."
            )
        return wrong


class Unit(StrEnum):
    MONEY = "money"
    PERCENT = "percent"
    HOURS = "hours"
    DAYS = "days"
    HOUR = "hour of the day"
    YES_NO = "yes or no"


@dataclass(frozen=True)
class Setting:
    """One of the numbers, for those who change it."""

    name: str
    """A field of `ShopSettings`."""
    label: str
    unit: Unit
    low: int
    high: int
    hint: str = ""

    @property
    def wire_name(self) -> str:
        """`minimumOrder`: amounts are decimal strings there."""
        return to_camel(self.name.removesuffix("_cents"))

    @property
    def default(self) -> int:
        return int(getattr(ShopSettings, self.name))

    @property
    def range(self) -> str:
        """`Between $0 and $10,000.`"""
        if self.unit is Unit.YES_NO:
            return "Yes or no."
        if self.unit is Unit.HOUR:
            return f"An hour of the day, {self.low} to {self.high}."
        return f"Between {self.show(self.low)} and {self.show(self.high)}."

    def show(self, value: int) -> str:
        """As a person reads it: `$100`, `25%`, `48 hours`, `9 AM`."""
        match self.unit:
            case Unit.MONEY:
                return money.show_short(value)
            case Unit.PERCENT:
                return f"{value}%"
            case Unit.HOUR:
                return clock.show_hour(value)
            case Unit.YES_NO:
                return "Yes" if value else "No"
            case unit:
                return f"{value} {unit.value.removesuffix('s') if value == 1 else unit.value}"

    def wire(self, value: int) -> str | int:
        """Amounts are decimal strings, yes and no are true and false."""
        if self.unit is Unit.YES_NO:
            return bool(value)
        return money.decimal(value) if self.unit is Unit.MONEY else value


@dataclass(frozen=True)
class Group:
    title: str
    settings: tuple[Setting, ...]


GROUPS = (
    Group(
        "Orders and delivery",
        (
            Setting("minimum_order_cents", "Minimum order", Unit.MONEY, 0, 10_000_00),
            Setting(
                "delivery_fee_cents",
                "Delivery fee",
                Unit.MONEY,
                0,
                1_000_00,
                "A flat fee below the free delivery amount.",
            ),
            Setting("free_delivery_cents", "Free delivery from", Unit.MONEY, 0, 10_000_00),
            Setting("delivery_hours", "Delivery within (hours)", Unit.HOURS, 1, 336),
            Setting("weekend_delivery_hours", "On weekends, within (hours)", Unit.HOURS, 1, 336),
            Setting(
                "offers_rush_delivery",
                "Same-day rush delivery",
                Unit.YES_NO,
                0,
                1,
                "For an extra fee, arranged through Support. The FAQ says so only when you offer it.",
            ),
        ),
    ),
    Group(
        "Discounts and referrals",
        (
            Setting("first_purchase_percent", "First-purchase discount (%)", Unit.PERCENT, 0, 100),
            Setting(
                "referral_discount_cents",
                "Referral discount",
                Unit.MONEY,
                0,
                1_000_00,
                "For the friend, on a first purchase.",
            ),
            Setting(
                "referral_credit_cents",
                "Referrer's credit",
                Unit.MONEY,
                0,
                1_000_00,
                "Once their friend's order is delivered.",
            ),
        ),
    ),
    Group("Invitations", (Setting("invitation_days", "Invitations valid for (days)", Unit.DAYS, 1, 90),)),
    Group(
        "Support hours",
        (
            Setting("support_opens_hour", "Support opens", Unit.HOUR, 0, 23),
            Setting("support_closes_hour", "Support closes", Unit.HOUR, 1, 24),
        ),
    ),
)
SETTINGS = tuple(each for group in GROUPS for each in group.settings)
BY_NAME = {each.name: each for each in SETTINGS}

Whole = Annotated[int, Field(ge=0, le=100_000)]


class SettingsForm(Form):
    """What is to change, and why; what is left out stays. What may be is said by `ShopSettings.problems`."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"deliveryFee": "20.00", "reason": "A winter offer"}

    SENTENCES: ClassVar[Mapping[str, str]] = {each.wire_name: each.range for each in SETTINGS} | {
        "reason": "Please say why, in at most 500 characters."
    }

    minimum_order: Cents | None = None
    delivery_fee: Cents | None = None
    free_delivery: Cents | None = None
    delivery_hours: Whole | None = None
    weekend_delivery_hours: Whole | None = None
    first_purchase_percent: Whole | None = None
    referral_discount: Cents | None = None
    referral_credit: Cents | None = None
    invitation_days: Whole | None = None
    support_opens_hour: Whole | None = None
    support_closes_hour: Whole | None = None
    offers_rush_delivery: bool | None = None
    reason: Annotated[str, Field(min_length=1, max_length=500)]

    @field_validator(*(each.name.removesuffix("_cents") for each in SETTINGS))
    @classmethod
    def _in_range(cls, value: int | None, info: ValidationInfo) -> int | None:
        setting = next(each for each in SETTINGS if each.name.removesuffix("_cents") == info.field_name)
        if value is not None and not setting.low <= value <= setting.high:
            raise ValueError(setting.range)
        return value

    def changes(self) -> dict[str, int]:
        """By the name of the field of `ShopSettings`."""
        given = {each.name: getattr(self, each.name.removesuffix("_cents")) for each in SETTINGS}
        return {name: int(value) for name, value in given.items() if value is not None}


class HistoryQuery(PageQuery):
    limit: Annotated[int, Field(ge=1, le=limits.MAX_PAGE_SIZE)] = limits.MAX_PAGE_SIZE


class SettingsPageParams(Form):
    """`/admin/settings?page=2`: which page of the history."""

    model_config = ConfigDict(strict=False, extra="ignore")

    page: Annotated[int, Field(ge=1, le=10_000)] = 1


@dataclass(frozen=True)
class SettingChange:
    id: int
    setting: Setting
    previous: int
    value: int
    reason: str
    by: str
    """Whoever changed it, as colleagues know them."""
    at: datetime

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.setting.wire_name,
            "from": self.setting.wire(self.previous),
            "to": self.setting.wire(self.value),
            "reason": self.reason,
            "by": self.by,
            "at": clock.iso(self.at),
        }


class SettingsAnswer(Answer):
    model_config = ConfigDict(json_schema_extra={"example": ShopSettings().wire()})

    minimum_order: str
    delivery_fee: str
    free_delivery: str
    delivery_hours: int
    weekend_delivery_hours: int
    first_purchase_percent: int
    referral_discount: str
    referral_credit: str
    invitation_days: int
    support_opens_hour: int
    support_closes_hour: int
    offers_rush_delivery: bool


class SettingChangeAnswer(Answer):
    id: int
    name: str = Field(examples=["minimumOrder"])
    before: str | int | bool = Field(alias="from", examples=["100.00"])
    to: str | int | bool = Field(examples=["80.00"])
    reason: str
    by: str
    at: str = Field(examples=["2026-11-20T11:40:00Z"])
