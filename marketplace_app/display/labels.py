"""Labels of values on the screens, and the colours of their badges."""

from marketplace_app.models import BatchState, OrderStatus, TicketCategory, TicketPriority, TicketStatus
from marketplace_app.schemas.account.invitations import DisplayStatus

ORDER_HUES = {
    OrderStatus.PENDING: "yellow",
    OrderStatus.CONFIRMED: "blue",
    OrderStatus.OUT_FOR_DELIVERY: "purple",
    OrderStatus.DELIVERED: "green",
    OrderStatus.CANCELLED: "red",
}
NEXT_STEP_LABELS = {
    OrderStatus.PENDING: "Confirm",
    OrderStatus.CONFIRMED: "Send out",
    OrderStatus.OUT_FOR_DELIVERY: "Mark delivered",
}
"""The button for the next step, by the order's current status. Delivered and cancelled orders have no next step."""
PAYMENT_METHOD_LABELS = {"cod": "Cash on delivery"}
TICKET_CATEGORY_LABELS = {
    TicketCategory.GENERAL: "General Question",
    TicketCategory.BILLING: "Billing & Payment",
    TicketCategory.TECHNICAL: "Technical Issue",
    TicketCategory.PRODUCT: "Product Question",
    TicketCategory.DELIVERY: "Delivery & Shipping",
    TicketCategory.ACCOUNT: "Account & Profile",
}
TICKET_HUES = {
    TicketStatus.OPEN: "purple",
    TicketStatus.IN_PROGRESS: "blue",
    TicketStatus.RESOLVED: "green",
    TicketStatus.CLOSED: "grey",
}
PRIORITY_HUES = {
    TicketPriority.LOW: "grey",
    TicketPriority.MEDIUM: "yellow",
    TicketPriority.HIGH: "orange",
    TicketPriority.URGENT: "red",
}
INVITATION_HUES = {
    DisplayStatus.PENDING: "yellow",
    DisplayStatus.ACCEPTED: "green",
    DisplayStatus.EXPIRED: "grey",
    DisplayStatus.REVOKED: "red",
}
BATCH_LABELS = {
    BatchState.FOR_SALE: "For sale",
    BatchState.NOT_APPROVED: "Not approved",
    BatchState.EXPIRED: "Expired",
    BatchState.HELD: "Held",
    BatchState.RECALLED: "Recalled",
}
BATCH_HUES = {
    BatchState.FOR_SALE: "green",
    BatchState.NOT_APPROVED: "yellow",
    BatchState.EXPIRED: "grey",
    BatchState.HELD: "orange",
    BatchState.RECALLED: "red",
}


def label_of(value: TicketStatus | TicketPriority) -> str:
    """`In Progress`"""
    return value.value.replace("_", " ").title()
