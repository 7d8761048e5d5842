"""Why an order could not be handed over, and what follows from each reason (RULE failed-stops)."""

from collections.abc import Mapping
from dataclasses import dataclass

from marketplace_app.models import FailureReason


@dataclass(frozen=True)
class FailureRule:
    label: str
    """What the driver chooses."""
    sentence: str
    """Why, as the customer is told. It never blames the customer."""
    is_cancelled: bool = False
    """Whether the order is cancelled; else it can be delivered another time."""
    is_counted: bool = True
    """Whether staff see it among the customer's failed deliveries; not where the customer had no part in it."""


RULES: Mapping[FailureReason, FailureRule] = {
    FailureReason.NOT_HOME: FailureRule("Not home", "because our driver met nobody at the door"),
    FailureReason.NO_ID: FailureRule(
        "No ID", "because the law asks us to see an ID first, and there was none at the door"
    ),
    FailureReason.UNDER_21: FailureRule(
        "Under 21", "because we may hand over to adults of 21 and older only", is_cancelled=True
    ),
    FailureReason.OTHER_PERSON: FailureRule(
        "Other person", "because we may hand over only to the person who placed the order"
    ),
    FailureReason.INTOXICATED: FailureRule("Intoxicated", "because it was not possible to hand it over at that moment"),
    FailureReason.SHORT_OF_CASH: FailureRule("Short of cash", "because the cash for it was not ready at the door"),
    FailureReason.REFUSED: FailureRule("Refused", "because it was not wanted any more", is_cancelled=True),
    FailureReason.UNSAFE: FailureRule(
        "Unsafe", "because our driver could not get to the door safely", is_counted=False
    ),
    FailureReason.NO_SUCH_ADDRESS: FailureRule(
        "No such address", "because our driver could not find the address", is_counted=False
    ),
    FailureReason.OTHER: FailureRule("Other", "because something unforeseen came up", is_counted=False),
}
