"""What the store says about recalled batches: to buyers and to staff (RULE recalls)."""

from marketplace_app.messages import Notice

# To buyers
IN_YOUR_ORDER = "A product in this order was recalled"
DO_NOT_USE = "Please do not use it, and keep it closed and out of reach."
NOT_DELIVERED = "If it has not been delivered yet, it will not be."
STOPPED = "We will not deliver this order."
WE_CALL = "A product in it was recalled. We will call you."
ASK_FOR_REFUND = "Ask about this order, and we will say how you get your money back."
READ = Notice("Thank you", "We know that you have read it.")
NOT_READ = "We could not save that you have read it. Please try again."

# To staff
HANDED_OVER = "A product in this order was recalled after it was delivered. Tell the customer not to use it."
TEXT_EXPECTED = "Enter a product's name, number or SKU, or a batch's code: at most 100 characters."
NOTHING_FOUND = "No batch was found that can be recalled. Check the spelling, or find the product by its number."
CHOOSE_BATCH = "Choose a batch."
DRILL = "Drill"
"""The reason of a drill, which no customer reads."""
NOTHING_CHANGED = "Nothing was changed, and nobody was written to."
RECALLED = Notice("Batch recalled", "Its units are set aside, and its buyers get an email.")
NOT_SAVED = "We could not do this. Please try again."


def advice(*, is_delivered: bool) -> str:
    """What the buyer of a recalled product should do."""
    return " ".join([DO_NOT_USE, *([] if is_delivered else [NOT_DELIVERED]), ASK_FOR_REFUND])
