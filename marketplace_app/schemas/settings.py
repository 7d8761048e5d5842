"""The shop's settings (RULE shop-settings): their defaults, and which values are allowed together."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar
from zoneinfo import ZoneInfo

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationInfo,
    create_model,
    field_serializer,
    field_validator,
)

from marketplace_app import clock, delivery_messages, limits, money
from marketplace_app.schemas.base import Answer, Cents, Form, MomentText, PageOfList, PageQuery, View
from marketplace_app.schemas.setting_fields import BY_NAME, SETTINGS, Setting, Unit

ONE_DAY = timedelta(days=1)
CASH_ROUNDING_STEPS = (0, 5, 25, 1_00, 5_00, 10_00, 20_00)
"""0, and values of coins and bills: rounding to any other amount would not make the cash easier to count."""


@dataclass(frozen=True)
class ShopSettings:
    """All settings at one moment. An order is priced with these and keeps its amounts when they change."""

    minimum_order_cents: int = limits.MINIMUM_ORDER_CENTS
    delivery_fee_cents: int = limits.DELIVERY_FEE_CENTS
    free_delivery_cents: int = limits.FREE_DELIVERY_CENTS
    delivery_hours: int = limits.DELIVERY_HOURS
    weekend_delivery_hours: int = limits.WEEKEND_DELIVERY_HOURS
    first_purchase_percent: int = limits.FIRST_PURCHASE_PERCENT
    referral_discount_cents: int = limits.REFERRAL_DISCOUNT_CENTS
    referral_credit_cents: int = limits.REFERRAL_CREDIT_CENTS
    invitation_days: int = limits.INVITATION_LIFETIME // ONE_DAY
    support_opens_hour: int = limits.SUPPORT_OPENS_HOUR
    support_closes_hour: int = limits.SUPPORT_CLOSES_HOUR
    offers_rush_delivery: int = 1
    """1 or 0: whether the shop delivers on the same day for an extra fee."""
    enforce_jurisdiction: int = 0
    """1 or 0: whether orders are judged by the rules of the state that they go to (RULE state-rules)."""
    cash_rounding_cents: int = 0
    """Totals are rounded down to a multiple of this, so that the cash is easy to count; 0 does not round."""
    keep_change_as_credit: int = 0
    """1 or 0: whether customers may get the change at the door as store credit (RULE change-as-credit)."""

    @property
    def delivery_promise(self) -> timedelta:
        return timedelta(hours=self.delivery_hours)

    @property
    def delivery_within(self) -> str:
        """`48 hours`"""
        return BY_NAME["delivery_hours"].show(self.delivery_hours)

    def weekend_note(self, placed_at: datetime, due: datetime, timezone: ZoneInfo) -> str:
        """`Weekend deliveries can take up to 72 hours.`, or nothing: RULE delivery-estimate."""
        is_longer = self.weekend_delivery_hours > self.delivery_hours
        is_weekend = is_longer and clock.touches_weekend(placed_at, due, timezone)
        return delivery_messages.weekend_note(self.weekend_delivery_hours) if is_weekend else ""

    @property
    def invitation_lifetime(self) -> timedelta:
        return self.invitation_days * ONE_DAY

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
        """By wire name, a sentence for each value that is out of range or contradicts another."""
        values = self.values()
        wrong = {
            each.wire_name: each.range for each in SETTINGS if not each.minimum <= values[each.name] <= each.maximum
        }
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
        if self.cash_rounding_cents not in CASH_ROUNDING_STEPS:
            steps = ", ".join(map(money.show_short, CASH_ROUNDING_STEPS[1:]))
            wrong["cashRounding"] = f"Must be one of {steps}, or $0 for no rounding."
        if self.support_closes_hour <= self.support_opens_hour:
            wrong["supportClosesHour"] = (
                f"Must be later than {clock.show_hour(self.support_opens_hour)}, when support opens."
            )
        return wrong


DEFAULTS = ShopSettings().values()
"""By the name of the setting."""
WholeNumber = Annotated[int, Field(ge=0, le=100_000)]


class SettingsForm(Form):
    """The settings to change, and why; those left out stay. `ShopSettings.problems` says which values are allowed."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"deliveryFee": "20.00", "reason": "A winter offer"}

    MESSAGES: ClassVar[Mapping[str, str]] = {each.wire_name: each.range for each in SETTINGS} | {
        "reason": "Please say why, in at most 500 characters."
    }

    minimum_order: Cents | None = None
    delivery_fee: Cents | None = None
    free_delivery: Cents | None = None
    delivery_hours: WholeNumber | None = None
    weekend_delivery_hours: WholeNumber | None = None
    first_purchase_percent: WholeNumber | None = None
    referral_discount: Cents | None = None
    referral_credit: Cents | None = None
    invitation_days: WholeNumber | None = None
    support_opens_hour: WholeNumber | None = None
    support_closes_hour: WholeNumber | None = None
    offers_rush_delivery: bool | None = None
    enforce_jurisdiction: bool | None = None
    cash_rounding: Cents | None = None
    keep_change_as_credit: bool | None = None
    reason: Annotated[str, Field(min_length=1, max_length=500)]

    @field_validator(*(each.name.removesuffix("_cents") for each in SETTINGS))
    @classmethod
    def _in_range(cls, value: int | None, info: ValidationInfo) -> int | None:
        setting = next(each for each in SETTINGS if each.name.removesuffix("_cents") == info.field_name)
        if value is not None and not setting.minimum <= value <= setting.maximum:
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

    page: PageOfList = 1


class _SettingsAnswer(Answer):
    model_config = ConfigDict(json_schema_extra={"example": ShopSettings().wire()})


_JSON_TYPES: Mapping[Unit, type] = {Unit.MONEY: str, Unit.YES_NO: bool}
"""The types in JSON of the units that are not whole numbers there."""

if TYPE_CHECKING:

    class SettingsAnswer(_SettingsAnswer):
        """`ShopSettings.wire`."""

else:
    SettingsAnswer = create_model(
        "SettingsAnswer",
        __base__=_SettingsAnswer,
        **{each.name.removesuffix("_cents"): _JSON_TYPES.get(each.unit, int) for each in SETTINGS},
    )


def _setting_by_wire_name(value: object) -> object:
    return next((each for each in SETTINGS if each.wire_name == value), value)


def _cents(value: object) -> object:
    return money.parse(value) if isinstance(value, str) else value


NamedSetting = Annotated[
    Setting, BeforeValidator(_setting_by_wire_name), PlainSerializer(attrgetter("wire_name"), return_type=str)
]
"""A setting. In JSON it is its wire name, by which it is found again when an answer is read back."""
SettingValue = Annotated[int, BeforeValidator(_cents)]
"""A setting's number. An amount is decimal text in JSON, and becomes cents again when an answer is read back."""


class SettingChangeAnswer(View):
    id: int
    setting: NamedSetting = Field(alias="name", title="Name", examples=["minimumOrder"])
    previous: SettingValue = Field(alias="from", examples=["100.00"])
    value: SettingValue = Field(alias="to", examples=["80.00"])
    reason: str
    by: str
    """Who changed it, as staff see them."""
    at: MomentText = Field(examples=["2026-11-20T11:40:00Z"])

    @field_serializer("previous", "value")
    def _in_its_unit(self, value: int) -> str | int | bool:
        return self.setting.wire(value)
