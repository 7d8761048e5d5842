"""Every sentence the specification gives to a success, a failure or a notice (S1 section 8, S2 section 8)."""

from dataclasses import dataclass

from marketplace_app.limits import MINIMUM_ORDER_CENTS
from marketplace_app.money import show, show_short


@dataclass(frozen=True)
class Notice:
    """A toast: a title, and mostly one sentence more."""

    title: str
    text: str = ""


DATE_REQUIRED = Notice("Date Required", "Please enter your date of birth.")
ACCESS_DENIED = "Access Denied"
AGE_CHECK_FAILED = Notice("Verification Error", "Failed to verify age. Please try again.")
AGE_VERIFIED = Notice("Age Verified ✓")
AGE_TOO_YOUNG = "You must be 21 or older to enter this store."

SIGNED_OUT = Notice("Logged out successfully", "You have been signed out of your account.")
SIGN_OUT_FAILED = Notice("Logout failed", "There was an error signing out. Please try again.")

SIGN_IN_TO_ADD = Notice("Please Sign In", "You need to sign in to add items to your cart.")
SIGN_IN_TO_CHECK_OUT = Notice("Please Sign In", "You need to sign in to checkout.")
SIGN_IN_FOR_ACCOUNT = Notice("Please Sign In", "You need to sign in to access your account.")
ADD_FAILED = Notice("Failed to Add", "Could not add item to cart. Please try again.")
UPDATE_FAILED = Notice("Update Failed", "Could not update item quantity.")
REMOVE_FAILED = Notice("Remove Failed", "Could not remove item from cart.")
REMOVED = Notice("Item Removed", "Item has been removed from your cart.")
LIST_FAILED = "Failed to load products. Please try again."
PRODUCT_NOT_FOUND = "Product not found."
NO_PRODUCTS = "No products found matching your criteria."

SESSION_EXPIRED = Notice("Session Expired", "Please sign in again to complete your order.")
ORDER_FAILED = Notice("Order Failed", "There was an error processing your order. Please try again.")
EMPTY_CART = Notice("Empty Cart", "Your cart is empty. Add some products before checkout.")
MINIMUM_ORDER = Notice(
    "Minimum Order Required",
    f"Minimum order amount is {show(MINIMUM_ORDER_CENTS)}. Please add more items to your cart.",
)
ORDER_PLACED = Notice(
    "Order Placed Successfully!",
    "Your order will be delivered within 48 hours. Payment will be collected on delivery.",
)

CART_EMPTY = "Your cart is empty"
CART_SIGNED_OUT = "Please sign in to view your cart"
MINIMUM_HINT = f"Minimum order: {show_short(MINIMUM_ORDER_CENTS)}"

FIELD_MESSAGES = {
    "firstName": "First name is required",
    "lastName": "Last name is required",
    "deliveryAddress": "Delivery address is required",
    "city": "City is required",
    "state": "State is required",
    "zipCode": "Valid zip code is required",
    "contactPhone": "Valid phone number is required",
    "deliveryInstructions": "Delivery instructions are required",
    "paymentInstructions": "Payment pickup instructions are required",
}
REFERRAL_REFUSED = "Failed to Apply Referral"
REFERRAL_TRY_AGAIN = "Please check the referral code and try again."
COPIED = Notice("Copied!")
COPY_FAILED = Notice("Copy Failed", "Could not copy to clipboard.")
ACCOUNT_DELETED = Notice("Account deleted successfully")
ACCOUNT_NOT_DELETED = "Account deletion failed"
CONFIRM_DELETION = (
    "Are you sure you want to delete your account? This action cannot be undone and will permanently delete all your "
    "data including orders, referrals, and account information. Records of sales that the law asks for stay, without "
    "your name, address or contact."
)
ORDER_NOT_FOUND = "Order not found."

SIGN_IN_FOR_PREFERENCES = Notice("Please Sign In", "You need to sign in to set your preferences.")
PREFERENCES_SAVED = Notice("Preferences saved!")
PREFERENCES_FAILED = Notice("Failed to save preferences", "Please try again")
CONSENT_NEEDED = "To keep your medical needs, the store needs your consent. Please give it, or leave them out."

NO_INVITATION = Notice("Invalid Invitation", "No invitation code provided.")
INVITATION_INVALID = "Invalid or expired invitation"
INVITATION_REFUSED = Notice("Invitation Invalid", "Please contact support if you believe this is an error.")
ACCEPT_FAILED = Notice("Failed to accept invitation")
WELCOME = Notice("Welcome to the marketplace")

TICKET_INCOMPLETE = "Subject and message are required"
TICKET_FAILED = "Failed to create support ticket"
REPLY_FAILED = "Failed to send message"
TICKET_NOT_FOUND = "Ticket not found."
TICKET_CLOSED = "This ticket is closed. Please create a new one."
NO_TICKETS = "No Support Tickets"
EMAIL_REQUIRED = "Email is required"

LEGAL_LINE = "21+, keep out of reach of children, not analyzed by FDA, limited side effect information"


def added(product_name: str) -> Notice:
    return Notice("Added to Cart", f"{product_name} has been added to your cart.")


def referred_by(name: str) -> Notice:
    return Notice(
        "Referral Applied!",
        f"You've been referred by {name}. You'll get $100 off when you make your first purchase!",
    )
