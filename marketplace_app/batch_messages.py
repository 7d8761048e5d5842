"""What customers and staff read about batches."""

from collections.abc import Mapping

from marketplace_app.limits import CLOSE_THC_POINTS
from marketplace_app.messages import Notice
from marketplace_app.models.batches import QuestionOutcome
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

QUESTION = "May we pack another batch?"
YES, NO = "Yes, that batch is fine", "No, keep mine"
ANSWERED: Mapping[QuestionOutcome, Notice] = {
    QuestionOutcome.YES: Notice("Thank you", "We will pack that batch."),
    QuestionOutcome.NO: Notice("Thank you", "We will keep your batch."),
    QuestionOutcome.LAPSED: Notice(
        "Too few left", "That batch does not have enough any more, so your order stays as it was."
    ),
}
NOT_ANSWERED = "We could not save your answer. Please try again."
QUESTION_NOT_FOUND = "This question was not found. Reload the page to see what is asked."
QUESTION_ENDED = "This question has been answered, or has ended. Reload the page to see how."

# To staff
SAVED = Notice("Batch saved")
RECEIVED = Notice("Batch received")
HELD = Notice("Batch held")
RELEASED = Notice("Batch released")
CORRECTED = Notice("Units of the batch adjusted")
NOT_SAVED = "Failed to save batch"
BATCH_NOT_IN_ORDER = "This order has no units of this batch. Reload the page to see what it has."
BATCH_UNAVAILABLE = "This batch is not for sale, or has too few units. Choose another one."
OUTCOMES: Mapping[QuestionOutcome | None, str] = {
    None: "no answer yet",
    QuestionOutcome.YES: "the customer said yes",
    QuestionOutcome.NO: "the customer said no",
    QuestionOutcome.LAPSED: "ended without a change",
}
"""How a question to the customer ended, for staff."""
ALREADY_ASKED = "The customer has been asked about this product already. Wait for the answer."
CUSTOMER_ASKED = Notice("Customer asked", "You will see the answer here. Until then nothing changes.")
BATCH_CHANGED = Notice("Batch changed")
BATCH_NOT_CHANGED = "Failed to change the batch"


def wish_sentence(wish: Substitution) -> str:
    """`The customer's wish: Ask me first.`"""
    return f"The customer's wish: {WISHES[wish]}."


def name_with_thc(code: str, thc_percent: float | None) -> str:
    """`batch FH-2611 (THC 22.4%)`"""
    return f"batch {code}" if thc_percent is None else f"batch {code} (THC {thc_percent:g}%)"
