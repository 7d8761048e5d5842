"""The facts of the FAQ (S2 section 9), in its words. Whatever page repeats one of them says it from here."""

from dataclasses import dataclass

from marketplace_app.limits import DELIVERY_FEE_CENTS, FIRST_PURCHASE_PERCENT, FREE_DELIVERY_CENTS, MINIMUM_ORDER_CENTS
from marketplace_app.money import show_short

CASH_ONLY = "Payment is cash on delivery only: exact cash, no change."
EXACT_CASH = "Please prepare the exact cash: no change is given."
NOTHING_ELSE = "No cards, digital payments, checks or crypto."
DELIVERY_FEE = (
    f"Delivery is free for orders of {show_short(FREE_DELIVERY_CENTS)} and above. "
    f"Under {show_short(FREE_DELIVERY_CENTS)} there is a {show_short(DELIVERY_FEE_CENTS)} fee."
)
MINIMUM_ORDER = f"The minimum order is {show_short(MINIMUM_ORDER_CENTS)}."
DELIVERY_TIME = "Processing takes 2-4 hours; delivery within 48 hours (weekends 48-72 hours)."
RUSH_DELIVERY = "Same-day rush delivery is available for an extra fee."
WRONG_PRODUCT = "Wrong products get a refund or replacement within 24 hours."
SUPPORT_HOURS = "9 AM-9 PM, 7 days a week"
VIP = "VIP and repeat customers get faster responses."

CASH_STEPS = ("Order", "Prepare exact cash", "Contactless delivery", "Payment verified and order left")
RESPONSE_TIMES = (("General questions", "2-4 hours"), ("Order issues", "Within 1 hour"), ("Urgent", "By phone"))
PRIORITY_TIERS = (("High", "Immediate"), ("Medium", "1-2 hours"), ("Normal", "2-4 hours"))


@dataclass(frozen=True)
class Question:
    anchor: str
    """`/faq#refunds` leads to it: once published, it stays."""
    question: str
    answer: str
    steps: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Section:
    anchor: str
    title: str
    questions: tuple[Question, ...]


SECTIONS = (
    Section(
        "payment",
        "Payment methods",
        (
            Question("cash", "How do I pay?", f"{CASH_ONLY} {NOTHING_ELSE}", steps=CASH_STEPS),
            Question("change", "Can the driver give change?", f"No. {EXACT_CASH}"),
            Question(
                "discount",
                "When is my first-purchase discount taken off?",
                f"{FIRST_PURCHASE_PERCENT}% off your first purchase, applied automatically at checkout. No code.",
            ),
        ),
    ),
    Section(
        "delivery",
        "Delivery process",
        (
            Question("delivery-fee", "What does delivery cost?", f"{DELIVERY_FEE} {MINIMUM_ORDER}"),
            Question("delivery-time", "How long does it take?", DELIVERY_TIME),
            Question("rush", "Can I have it the same day?", RUSH_DELIVERY),
            Question("refunds", "What if a product is wrong?", WRONG_PRODUCT),
        ),
    ),
    Section(
        "support",
        "Customer support",
        (
            Question("hours", "When is support there?", f"{SUPPORT_HOURS}."),
            Question("response", "How fast will I hear back?", "It depends on what it is about.", rows=RESPONSE_TIMES),
            Question(
                "priority", "Which requests come first?", "Each is given one of three priorities.", rows=PRIORITY_TIERS
            ),
            Question("vip", "Do regular customers wait less?", f"Yes. {VIP}"),
        ),
    ),
)
