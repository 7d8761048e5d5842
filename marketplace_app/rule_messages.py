"""What the store says about the rules, limits and taxes of states."""

from collections.abc import Sequence

from marketplace_app.places import STATE_NAMES

RULES_NOT_FOUND = "These rules do not exist."
ALREADY_REVIEWED = "These rules have been reviewed already. What has changed since needs a new version."
PLACE_NOT_UNDERSTOOD = (
    "We can't find both a state and a ZIP code at the end of this address. Please end it like this: Portland, OR 97201."
)


def contradicting_place(zip_code: str, state: str, named_state: str) -> str:
    """`state` is where the ZIP code is, `named_state` what the address says."""
    where, named = STATE_NAMES[state], STATE_NAMES[named_state]
    return f"ZIP code {zip_code} is in {where}, not in {named}. Please check the state and the ZIP code."


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
    """`opens` and `closes` as `9 AM`, or `9:30 AM`."""
    return f"Deliveries in {STATE_NAMES[state]} come between {opens} and {closes}. Please choose another time."


def ordered_too_late(state: str, order_by: str) -> str:
    return (
        f"In {STATE_NAMES[state]} an order must be placed by {order_by} to be delivered on the same day. Please choose "
        "another day."
    )


def address_kinds(state: str, allowed: Sequence[str], others: Sequence[str]) -> str:
    """Near the address: `Deliveries in Oregon go to homes only: not to businesses, hotels or dormitories.`"""
    where = f"Deliveries in {STATE_NAMES[state]} go to {_listed(allowed, 'and')} only"
    return f"{where}: not to {_listed(others, 'or')}."


def _listed(words: Sequence[str], last: str) -> str:
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))
