"""The shop's settings as owners see them: labels, units, ranges and groups (RULE shop-settings)."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic.alias_generators import to_camel

from marketplace_app import clock, money


class Unit(StrEnum):
    MONEY = "money"
    PERCENT = "percent"
    HOURS = "hours"
    DAYS = "days"
    HOUR = "hour of the day"
    YES_NO = "yes or no"


@dataclass(frozen=True)
class Setting:
    """The description of one setting."""

    name: str
    """A field of `ShopSettings`."""
    label: str
    unit: Unit
    minimum: int
    maximum: int
    hint: str = ""

    @property
    def wire_name(self) -> str:
        """`minimumOrder`. Amounts lose the `_cents` of their name, because JSON has decimal strings."""
        return to_camel(self.name.removesuffix("_cents"))

    @property
    def range(self) -> str:
        """`Between $0 and $10,000.`"""
        if self.unit is Unit.YES_NO:
            return "Yes or no."
        if self.unit is Unit.HOUR:
            return f"An hour of the day, {self.minimum} to {self.maximum}."
        return f"Between {self.show(self.minimum)} and {self.show(self.maximum)}."

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
        """The value in JSON: a decimal string for an amount, true or false for yes or no."""
        if self.unit is Unit.YES_NO:
            return bool(value)
        return money.decimal(value) if self.unit is Unit.MONEY else value


@dataclass(frozen=True)
class SettingGroup:
    title: str
    settings: tuple[Setting, ...]


GROUPS = (
    SettingGroup(
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
    SettingGroup(
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
    SettingGroup(
        "Cash",
        (
            Setting(
                "cash_rounding_cents",
                "Round totals down to",
                Unit.MONEY,
                0,
                20_00,
                "$5 leaves whole five-dollar bills to count at the door. $0 does not round.",
            ),
            Setting(
                "keep_change_as_credit",
                "Change as store credit",
                Unit.YES_NO,
                0,
                1,
                "Drivers may ask whether a customer who pays too much wants the change as credit.",
            ),
        ),
    ),
    SettingGroup(
        "Rules and taxes",
        (
            Setting(
                "enforce_jurisdiction",
                "Apply the state's rules",
                Unit.YES_NO,
                0,
                1,
                "Limits, taxes and hours of the state an order goes to, once an owner has reviewed them.",
            ),
        ),
    ),
    SettingGroup("Invitations", (Setting("invitation_days", "Invitations valid for (days)", Unit.DAYS, 1, 90),)),
    SettingGroup(
        "Support hours",
        (
            Setting("support_opens_hour", "Support opens", Unit.HOUR, 0, 23),
            Setting("support_closes_hour", "Support closes", Unit.HOUR, 1, 24),
        ),
    ),
)


SETTINGS = tuple(each for group in GROUPS for each in group.settings)


BY_NAME = {each.name: each for each in SETTINGS}
