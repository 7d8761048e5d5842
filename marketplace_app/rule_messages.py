"""What the store says about the rules, limits and taxes of states: first to shoppers, then to staff."""

from collections.abc import Sequence

from marketplace_app.messages import Notice
from marketplace_app.money import show, show_rate
from marketplace_app.places import STATE_NAMES

PLACE_NOT_UNDERSTOOD = (
    "We can't find both a state and a ZIP code at the end of this address. Please end it like this: Portland, OR 97201."
)
PLACE_OF_ORDER_NOT_UNDERSTOOD = (
    "The state and ZIP code of this order's address cannot be read, so the legal limits of its customer cannot be "
    "checked. Please correct the address, then reopen the order."
)
OTHER_SHOPS = "What you buy at other shops counts too, but is not known here."
FITS = "Fits your limit"
TAX_ADDED = "Due where the order is delivered"
TAX_INCLUDED = "Part of the prices already"
BIRTH_YEAR_EXPECTED = "Please check the year of your date of birth."
TOO_YOUNG = "With this date of birth you are younger than 21, so we may not deliver this order to you."

RULES_NOT_FOUND = "These rules do not exist."
ALREADY_REVIEWED = "These rules have been reviewed already. What has changed since needs a new version."
NOT_LEGAL_ADVICE = "Drafts are not legal advice. Check each line before you review it."
DRAFT_NOT_FOUND = "The store ships no draft for this state."
RULES_NOT_SAVED = "Failed to save the rules"
RULES_REVIEWED = Notice("Rules reviewed")
RULES_ADDED = Notice("Rules added", "They count for nothing until they are reviewed.")
COUNTS_NEVER = "I have read these rules. They will not count: newer ones of this state have been reviewed."
"""What an owner confirms in the review of such rules, instead of `counts_from`."""
SOURCE_EXPECTED = "Enter where this is from."
GRAMS_EXPECTED = "An amount in grams such as 28.5 is expected."
PERCENT_EXPECTED = "A rate in percent such as 7.25 is expected."


def contradicting_place(zip_code: str, state: str, named_state: str) -> str:
    """`state` is where the ZIP code is, `named_state` what the address says."""
    where, named = STATE_NAMES[state], STATE_NAMES[named_state]
    return f"ZIP code {zip_code} is in {where}, not in {named}. Please check the state and the ZIP code."


def another_state(state: str) -> str:
    return (
        f"This order was judged by the rules of {STATE_NAMES[state]}. Please enter an address there that ends with the "
        "state and the ZIP code, or cancel the order and have it placed anew."
    )


def rules_unknown(state: str) -> str:
    return f"We don't deliver to {STATE_NAMES[state]} yet. Please choose an address in another state."


def delivery_not_allowed(state: str) -> str:
    return f"{STATE_NAMES[state]} does not allow deliveries. Please choose an address in another state."


def cash_not_allowed(state: str) -> str:
    return (
        f"{STATE_NAMES[state]} does not allow cash on delivery, and we take nothing else. Please choose an address in "
        "another state."
    )


def outside_hours(state: str, opens: str, closes: str) -> str:
    """`opens` and `closes` are times such as `9 AM` or `9:30 AM`."""
    return f"Deliveries in {STATE_NAMES[state]} come between {opens} and {closes}. Please choose another time."


def ordered_too_late(state: str, order_by: str) -> str:
    return (
        f"In {STATE_NAMES[state]} an order must be placed by {order_by} to be delivered on the same day. Please choose "
        "another day."
    )


def address_kinds(state: str, allowed: Sequence[str], others: Sequence[str]) -> str:
    """The note near the address: `Deliveries in Oregon go to homes only: not to businesses, hotels or dormitories.`"""
    where = f"Deliveries in {STATE_NAMES[state]} go to {listed(allowed)} only"
    return f"{where}: not to {listed(others, 'or')}."


def minimum_due(cents: int) -> str:
    """Why a discount is smaller than it would otherwise be."""
    return f"By the rules of your state, at least {show(cents)} is due"


def grams(milligrams: int) -> str:
    """`12.5 g`"""
    return f"{milligrams / 1_000:,.10g} g"


def limit_meter(label: str, days: int, limit_mg: int, used_mg: int, adds_mg: int) -> str:
    """`Flower today: 12.5 g of 28.5 g. This cart adds 3.5 g.`"""
    when = {0: "in one order", 1: "today"}.get(days, f"in {days} days")
    return f"{label} {when}: {grams(used_mg)} of {grams(limit_mg)}. This cart adds {grams(adds_mg)}."


def when_over(days: int) -> str:
    """The mark on a product that would exceed a limit for `days` days. 0 days: a limit for each order."""
    return {0: "Over the limit for one order", 1: "Over today's limit"}.get(days, f"Over the limit for {days} days")


def limit_unknown(product: str) -> str:
    return (
        f"{product} cannot be ordered now, because its weight or THC is not known and the law limits it. Please remove "
        "it, or ask Support."
    )


def over_limit(label: str, days: int, limit_mg: int, used_mg: int, adds_mg: int) -> str:
    """`Flower: the law allows 28.5 g a day. You have ordered 28 g today, and this cart adds 3.5 g.`"""
    allowed = {0: "in one order", 1: "a day"}.get(days, f"in {days} days")
    when = "today" if days == 1 else f"in the last {days} days"
    cart = f"this cart adds {grams(adds_mg)}" if used_mg else f"This cart has {grams(adds_mg)}"
    earlier = f"You have ordered {grams(used_mg)} {when}, and " if used_mg else ""
    return f"{label}: the law allows {grams(limit_mg)} {allowed}. {earlier}{cart}."


def remove_products(removed: Sequence[tuple[str, int]]) -> str:
    """`Please remove 2 of Fern Hollow and 1 of Amber Ridge.`"""
    return f"Please remove {listed([f'{quantity} of {name}' for name, quantity in removed])}."


def over_limit_again(label: str) -> str:
    return f"Reopened, this order would be over its customer's legal limit: {label}. It stays cancelled."


def tax_name(label: str, basis_points: int) -> str:
    """`Excise tax, 15%`"""
    return f"{label}, {show_rate(basis_points)}"


def tax_included(label: str, cents: int) -> str:
    """`Includes sales tax of $8.20`"""
    return f"Includes {within_sentence(label)} of {show(cents)}"


def within_sentence(label: str) -> str:
    """A label in the middle of a sentence: `sales tax`, but `THC %`. A first word in capitals is an abbreviation."""
    return label if label[:2].isupper() else label[:1].lower() + label[1:]


def after_its_end(keep_days: int) -> str:
    return f"{keep_days:,} {'day' if keep_days == 1 else 'days'} after the order has ended"


def birth_date_reason(state: str, keep_days: int) -> str:
    """Why the checkout asks for the date of birth."""
    return (
        f"The rules of {STATE_NAMES[state]} ask for your date of birth on the order's record. It is kept with this "
        f"order alone, for {after_its_end(keep_days)}."
    )


def birth_date_required(state: str, keep_days: int) -> str:
    return f"Please enter your date of birth. {birth_date_reason(state, keep_days)}"


def counts_from(day: str) -> str:
    return f"I have read these rules. They will count from {day}."


def choices_missing(labels: Sequence[str]) -> str:
    return f"Choose a value first: {', '.join(labels)}."


def unlimited_categories(categories: Sequence[str]) -> str:
    return f"Not counted by any limit: {', '.join(categories)}."


def unknown_categories(categories: Sequence[str]) -> str:
    return f"This store has no category of these names: {', '.join(categories)}."


def products_uncounted(number_of_products: str) -> str:
    """For staff: `12 products without weight or THC: cannot be sold while limits are enforced.`"""
    return f"{number_of_products} without weight or THC: cannot be sold while limits are enforced."


def none_in_force(state_name: str) -> str:
    return f"Orders to {state_name} are refused: none of these versions counts today."


def listed(words: Sequence[str], conjunction: str = "and") -> str:
    """`Vapes, Edibles and THC Flower`"""
    *others, last = words
    return f"{', '.join(others)} {conjunction} {last}" if others else last
