"""What customers and staff read about batches."""

from collections.abc import Mapping

from marketplace_app.limits import CLOSE_THC_POINTS
from marketplace_app.messages import Notice
from marketplace_app.models.slots import Substitution

# To customers
WISH = "If we pack from another batch"
WISH_HINT = (
    "A product's page shows the lab report of the batch that is packed next. Sometimes it has to be another batch."
)
WISHES: Mapping[Substitution, str] = {
    Substitution.ANY: "Any batch is fine",
    Substitution.CLOSE: f"Only with THC within {CLOSE_THC_POINTS} points",
    Substitution.ASK: "Ask me first",
}
WISH_SAVED = Notice("Saved", "We will pack your order as you chose.")
WISH_NOT_SAVED = "We could not save your choice. Please try again."
NOT_IN_BATCHES = "Nothing in this order is packed by batch, so there is nothing to choose."

# To staff
SAVED = Notice("Batch saved")
RECEIVED = Notice("Batch received")
HELD = Notice("Batch held")
RELEASED = Notice("Batch released")
CORRECTED = Notice("Units of the batch adjusted")
NOT_SAVED = "Failed to save batch"
BATCH_NOT_IN_ORDER = "This order has no units of this batch. Reload the page to see what it has."
BATCH_UNAVAILABLE = "This batch is not for sale, or has too few units. Choose another one."
ASK_FIRST = "The customer wants to be asked before this order is packed from this batch."
BATCH_CHANGED = Notice("Batch changed")
BATCH_NOT_CHANGED = "Failed to change the batch"


def is_wished(wish: Substitution) -> str:
    """`The customer's wish: Ask me first.`"""
    return f"The customer's wish: {WISHES[wish]}."
