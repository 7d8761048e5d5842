"""The facts of the FAQ (RULE faq-facts), for the FAQ itself and for other pages that repeat them."""

from dataclasses import dataclass
from typing import Any, Protocol

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.money import show_short
from marketplace_app.schemas.settings import ShopSettings

CASH_ONLY = "Payment is cash on delivery only: exact cash, no change."
EXACT_CASH = "Please prepare the exact cash: no change is given."
NOTHING_ELSE = "No cards, digital payments, checks or crypto."
RUSH_DELIVERY = "Same-day rush delivery is available for an extra fee. Ask us through Support."
WRONG_PRODUCT = "Wrong products get a refund or replacement within 24 hours."
CHANGE_AS_CREDIT = "If you pay more, tell the driver that you want the rest as store credit."
ID_AT_THE_DOOR = "At the door the driver looks at your ID, without touching it, before you get your order."
BIRTH_DATE_NOT_KEPT = "Your date of birth is checked and not kept. We only record that you are 21 or older."
BIRTH_DATE_ON_RECORD = (
    "The date of birth with which you enter is checked and not kept. We only record that you are 21 or older. Where "
    "the rules of your state ask for it, checkout asks for your date of birth too: it is kept with that order alone, "
    "for as long as the rules say."
)
FREE_SHIPPING_IN_ZONES = "from an amount that depends on your ZIP code"
DELIVERY_FEE_IN_ZONES = (
    "What delivery costs and the minimum order depend on your ZIP code: checkout shows both before you order."
)
VIP = "VIP and repeat customers get faster responses."

CASH_STEPS = ("Order", "Prepare exact cash", "Contactless delivery", "Payment verified and order left")
PRIORITY_TIERS = (("High", "Immediate"), ("Medium", "1-2 hours"), ("Normal", "2-4 hours"))


@dataclass(frozen=True)
class SettingsTexts:
    """The texts on pages that depend on the shop's settings (RULE faq-facts)."""

    percent_off: str
    """`25% OFF`; empty if there is no such offer."""
    referral_off: str
    free_shipping: str
    account_offer: str
    delivery_within: str
    first_purchase: str
    delivery_fee: str
    minimum_order: str
    delivery_time: str
    rush_delivery: str
    """Empty if the shop does not offer it."""
    support_hours: str
    support_answers: str
    referred_get: str
    referrer_gets: str
    code_gives: str
    """What a referral code takes off for the friend who applies it."""
    birth_date: str
    """What happens to a date of birth."""
    change: str
    """Whether the driver gives change."""


class DeliveryTerms(Protocol):
    """The terms of the shop, or those of the place where an order goes."""

    @property
    def minimum_order_cents(self) -> int: ...

    @property
    def delivery_fee_cents(self) -> int: ...

    @property
    def free_delivery_cents(self) -> int: ...


def settings_texts(shop: ShopSettings, *, has_zones: bool = False) -> SettingsTexts:
    """With zones, what delivery costs and the minimum order depend on the place (RULE zone-terms)."""
    percent = shop.first_purchase_percent
    discount, credit = _amount_or_nothing(shop.referral_discount_cents), _amount_or_nothing(shop.referral_credit_cents)
    opens, closes = clock.show_hour(shop.support_opens_hour), clock.show_hour(shop.support_closes_hour)
    return SettingsTexts(
        percent_off=f"{percent}% OFF" if percent else "",
        referral_off=f"{discount} off" if discount else "",
        free_shipping=FREE_SHIPPING_IN_ZONES if has_zones else _free_shipping(shop),
        account_offer=(
            f"Sign in, confirm your age, and get {percent}% off your first order."
            if percent
            else "Sign in and confirm your age."
        ),
        delivery_within=shop.delivery_within,
        first_purchase=(
            f"{percent}% off your first purchase, applied automatically at checkout. No code."
            if percent
            else "There is no first-purchase discount at the moment."
        ),
        delivery_fee=DELIVERY_FEE_IN_ZONES if has_zones else _delivery_fee(shop),
        minimum_order="" if has_zones else _minimum_order(shop),
        delivery_time=_delivery_time(shop),
        rush_delivery=RUSH_DELIVERY if shop.offers_rush_delivery else "",
        support_hours=f"{shop.support_hours}, 7 days a week",
        support_answers=f"Create one, and we answer from {opens} to {closes}.",
        referred_get=f"{discount} off their first purchase." if discount else "No discount at the moment.",
        referrer_gets=f"{credit} credit once that order is delivered." if credit else "No credit at the moment.",
        code_gives=_code_gives(discount),
        birth_date=BIRTH_DATE_ON_RECORD if shop.enforce_jurisdiction else BIRTH_DATE_NOT_KEPT,
        change=f"No. {EXACT_CASH}{f' {CHANGE_AS_CREDIT}' if shop.keep_change_as_credit else ''}",
    )


def cash_on_delivery(shop: ShopSettings, terms: DeliveryTerms | None) -> str:
    """`terms` are those where the order goes; None while that is not known."""
    sentences = [f"Delivered within {shop.delivery_within}, contactless."]
    if terms is not None:
        sentences.append(_free_delivery(terms))
    return " ".join([*sentences, "Please have the exact cash ready: the driver carries no change."])


def _amount_or_nothing(cents: int) -> str:
    return show_short(cents) if cents else ""


def _code_gives(discount: str) -> str:
    return f"It takes {discount} off your first purchase." if discount else "There is no discount for it at the moment."


def _has_fee(terms: DeliveryTerms) -> bool:
    """Whether any order pays the fee: none does if delivery is free from the minimum order on."""
    return terms.delivery_fee_cents > 0 and terms.free_delivery_cents > terms.minimum_order_cents


def _free_shipping(shop: ShopSettings) -> str:
    return f"on orders over {show_short(shop.free_delivery_cents)}" if _has_fee(shop) else "on every order"


def _free_delivery(terms: DeliveryTerms) -> str:
    if not _has_fee(terms):
        return "Free delivery."
    return f"Free delivery on orders of {show_short(terms.free_delivery_cents)} or more."


def _minimum_order(shop: ShopSettings) -> str:
    if not shop.minimum_order_cents:
        return "There is no minimum order."
    return f"The minimum order is {show_short(shop.minimum_order_cents)}."


def _delivery_fee(shop: ShopSettings) -> str:
    if not _has_fee(shop):
        return "Delivery is free."
    free_from, fee = show_short(shop.free_delivery_cents), show_short(shop.delivery_fee_cents)
    return f"Delivery is free for orders of {free_from} and above. Under {free_from} there is a {fee} fee."


def _delivery_time(shop: ShopSettings) -> str:
    usual, longest = shop.delivery_hours, shop.weekend_delivery_hours
    weekends = f" (weekends {usual}-{longest} hours)" if longest > usual else ""
    id_check = f" {ID_AT_THE_DOOR}" if shop.enforce_jurisdiction else ""
    return f"Processing takes 2-4 hours; delivery within {shop.delivery_within}{weekends}.{id_check}"


@dataclass(frozen=True)
class Question:
    anchor: str
    """As in `/faq#refunds`. Once published, it must not change."""
    question: str
    answer: Any
    steps: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class FaqSection:
    anchor: str
    title: str
    questions: tuple[Question, ...]


def sections(texts: Any) -> tuple[FaqSection, ...]:
    """`texts` are `SettingsTexts`, or vars with the same attributes."""
    return (
        FaqSection("payment", "Payment methods", _about_payment(texts)),
        FaqSection("delivery", "Delivery process", _about_delivery(texts)),
        FaqSection("support", "Customer support", _about_support(texts)),
    )


def _about_payment(texts: Any) -> tuple[Question, ...]:
    return (
        Question("cash", "How do I pay?", f"{CASH_ONLY} {NOTHING_ELSE}", steps=CASH_STEPS),
        Question("change", "Can the driver give change?", texts.change),
        Question("discount", "When is my first-purchase discount taken off?", texts.first_purchase),
    )


def _about_delivery(texts: Any) -> tuple[Question, ...]:
    return (
        Question("delivery-fee", "What does delivery cost?", f"{texts.delivery_fee} {texts.minimum_order}"),
        Question("delivery-time", "How long does it take?", texts.delivery_time),
        Question("rush", "Can I have it the same day?", texts.rush_delivery),
        Question("refunds", "What if a product is wrong?", WRONG_PRODUCT),
    )


def _about_support(texts: Any) -> tuple[Question, ...]:
    return (
        Question("hours", "When is support open?", f"{texts.support_hours}."),
        Question(
            "response",
            "How fast will I hear back?",
            "These times count during support hours.",
            rows=_response_times(),
        ),
        Question(
            "priority",
            "Which requests come first?",
            "Every ticket gets a priority when it arrives. Urgent tickets are answered like high ones, and low "
            "ones like normal ones.",
            rows=PRIORITY_TIERS,
        ),
        Question("vip", "Do regular customers get faster answers?", f"Yes. {VIP}"),
    )


def _response_times() -> tuple[tuple[str, str], ...]:
    number = get_settings().support_phone
    urgent = f"By phone: {number}" if number else "First in line, through Support"
    return ("General questions", "2-4 hours"), ("Order issues", "Within 1 hour"), ("Urgent", urgent)
