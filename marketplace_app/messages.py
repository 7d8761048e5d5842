"""The texts of successes, failures and notices; docs/product refers to them by these names."""

from dataclasses import dataclass

from marketplace_app.money import show, show_short


@dataclass(frozen=True)
class Notice:
    """A toast: a title, and usually one more sentence."""

    title: str
    text: str = ""


TOO_BUSY = Notice("Please wait", "Too many requests. Please wait a moment and try again.")
PAGE_OUTDATED = Notice("Please reload this page", "The store was updated while it was open.")
DATE_REQUIRED = Notice("Date Required", "Please enter your date of birth.")
ACCESS_DENIED = "Access Denied"
AGE_CHECK_FAILED = Notice("Verification Error", "Failed to verify age. Please try again.")
AGE_VERIFIED = Notice("Age Verified ✓")
AGE_TOO_YOUNG = "You must be 21 or older to enter this store."

SIGNED_OUT = Notice("Logged out successfully", "You have been signed out of your account.")
SIGN_OUT_FAILED = Notice("Logout failed", "There was an error signing out. Please try again.")

SIGN_IN_TO_SAVE = Notice("Please Sign In", "You need to sign in to save products.")
STOCK_ALERT_NOT_SAVED = "That could not be saved. Please try again."
HEART_NOT_SAVED = "The product could not be saved. Please try again."
SIGN_IN_TO_ADD = Notice("Please Sign In", "You need to sign in to add items to your cart.")
SIGN_IN_TO_CHECK_OUT = Notice("Please Sign In", "You need to sign in to checkout.")
SIGN_IN_FOR_ACCOUNT = Notice("Please Sign In", "You need to sign in to access your account.")
ADD_FAILED = Notice("Failed to Add", "Could not add item to cart. Please try again.")
UPDATE_FAILED = Notice("Update Failed", "Could not update item quantity.")
REMOVE_FAILED = Notice("Remove Failed", "Could not remove item from cart.")
REMOVED = Notice("Item Removed", "Item has been removed from your cart.")
PAGE_FAILED = "This page could not be loaded."
LIST_FAILED = "Failed to load products. Please try again."
CATEGORY_UNKNOWN = "There is no such category."
BATCH_NOT_FOUND = "Batch not found."
PRODUCT_NOT_FOUND = "Product not found."
NO_PRODUCTS = "No products found matching your criteria."

SESSION_EXPIRED = Notice("Session Expired", "Please sign in again to complete your order.")
ORDER_FAILED = Notice("Order Failed", "There was an error processing your order. Please try again.")
EMPTY_CART = Notice("Empty Cart", "Your cart is empty. Add some products before checkout.")

CART_EMPTY = "Your cart is empty"
CART_SIGNED_OUT = "Please sign in to view your cart"

FIELD_MESSAGES = {
    "birthDate": "Date of birth is required",
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
WELCOME_BACK = "Welcome back"
COPIED = Notice("Copied!")
COPY_FAILED = Notice("Copy Failed", "Could not copy to clipboard.")
ACCOUNT_DELETED = Notice("Account deleted successfully")
ACCOUNT_NOT_DELETED = "Account deletion failed"
CONFIRM_DELETION = (
    "Are you sure you want to delete your account? This action cannot be undone and will permanently delete all your "
    "data including orders, referrals, and account information. Sales records that the law requires are kept, without "
    "your name, address or contact details."
)
PROFILE_SAVED = Notice("Profile saved")
PROFILE_NOT_SAVED = "Failed to save profile"
ADDRESS_SAVED = Notice("Address saved")
ADDRESS_NOT_SAVED = "Failed to save address"
ADDRESS_REMOVED = Notice("Address removed")
ORDER_NOT_FOUND = "Order not found."
ORDER_NOT_PENDING = (
    "This order can no longer be cancelled here. Ask about this order, and we will see what can be done."
)
ORDER_NOT_CANCELLED = "The order could not be cancelled. Please try again."
ORDER_CANCELLED = Notice("Order Cancelled", "There is nothing to pay.")
NO_REVIEWS = "No reviews yet"

SIGN_IN_FOR_PREFERENCES = Notice("Please Sign In", "You need to sign in to set your preferences.")
PREFERENCES_SAVED = Notice("Preferences saved!")
PREFERENCES_FAILED = Notice("Failed to save preferences", "Please try again")
PREFERENCES_DELETED = Notice("Preferences deleted", "Products are no longer picked for you.")
PREFERENCES_NOT_DELETED = Notice("Failed to delete preferences", "Please try again.")
CONSENT_WITHDRAWN = Notice("Consent withdrawn", "Your medical needs have been erased.")
CONSENT_NOT_WITHDRAWN = Notice("Failed to withdraw consent", "Please try again.")
SIGN_IN_FOR_PRIVACY = Notice("Please Sign In", "You need to sign in to manage your privacy.")
CONSENT_NEEDED = "The store needs your consent to keep your medical needs. Please give it, or clear them."

NO_INVITATION = Notice("Invalid Invitation", "No invitation code provided.")
INVITATION_INVALID = "Invalid or expired invitation"
INVITATION_REFUSED = Notice("Invitation Invalid", "Please contact support if you believe this is an error.")
ACCEPT_FAILED = Notice("Failed to accept invitation")
WELCOME = Notice("Welcome to the marketplace")

TICKET_INCOMPLETE = "Subject and message are required"
TICKET_FAILED = "Failed to create support ticket"
REPLY_FAILED = "Failed to send message"
TICKET_NOT_UPDATED = "Failed to update ticket"
TICKET_NOT_FOUND = "Ticket not found."
TICKET_CLOSED = "This ticket is closed. Please create a new one."
NO_TICKETS = "No Support Tickets"
EMAIL_REQUIRED = "Email is required"

ADMIN_SIGNED_OUT = "Admin Authentication Required"
ADMIN_UNVERIFIABLE = Notice("Access Error", "Unable to verify user credentials.")
ADMIN_DENIED = "Admin Access Required"
ORDER_UPDATED = Notice("Order updated successfully")
ORDER_DELETED = Notice("Order deleted successfully")
USER_UPDATED = Notice("User profile updated successfully")
USER_BANNED = Notice("User banned successfully")
USER_UNBANNED = Notice("User unbanned successfully")
USER_DELETED = Notice("User deleted successfully")
INVITATION_SENT = Notice("Invitation Sent", "Email invitation sent successfully")
ERROR = "Error"
ORDER_CHANGED_MEANWHILE = "Somebody else has changed this order. Check its status, then try again."
ORDER_NOT_UPDATED = "Failed to update order"
ORDER_NOT_DELETED = "Failed to delete order"
USER_NOT_UPDATED = "Failed to update user"
USER_NOT_BANNED = "Failed to ban user"
USER_NOT_UNBANNED = "Failed to unban user"
USER_NOT_DELETED = "Failed to delete user"
INVITATION_NOT_SENT = "Failed to send invitation"
NO_BAN_REASON = "No reason provided"
PRODUCT_SAVED = Notice("Product saved")
PRODUCT_NOT_SAVED = "Failed to save product"
PRODUCT_ARCHIVED = Notice("Product archived")
PRODUCT_NOT_ARCHIVED = "Failed to archive product"
STOCK_ADJUSTED = Notice("Stock adjusted")
STOCK_NOT_ADJUSTED = "Failed to adjust stock"
LAB_REPORT_SAVED = Notice("Lab report saved")
LAB_REPORT_REMOVED = Notice("Lab report removed")
LAB_REPORT_NOT_SAVED = "Failed to save lab report"
PICTURE_SAVED = Notice("Picture saved")
PICTURE_NOT_SAVED = "Failed to save picture"
PDF_SAVED = Notice("Document saved")
PDF_NOT_SAVED = "Failed to save document"
IMPORTED = Notice("Products imported")
IMPORT_FAILED = "Failed to read file"
USER_NOT_FOUND = "User not found."
USER_SIGNED_OUT = Notice("User signed out everywhere")
ROLE_CHANGED = Notice("Role changed")
INVITATION_NOT_FOUND = "Invitation not found."
INVITATION_CREATED = Notice("Invitation created", "No mail server is set up: copy the link and send it yourself.")
INVITATION_REVOKED = Notice("Invitation revoked")
SETTINGS_SAVED = Notice("Settings saved")
SETTINGS_NOT_SAVED = "Failed to save settings"
NOTHING_CHANGED = Notice("Nothing was changed")
LEGAL_PUBLISHED = Notice("Text published")
LEGAL_NOT_PUBLISHED = "Failed to publish text"
SYNONYM_ADDED = Notice("Synonym added")
SYNONYM_CHANGED = Notice("Synonym changed")
SYNONYM_NOT_SAVED = "Failed to save synonym"
SYNONYM_NOT_REMOVED = "Failed to remove synonym"
SYNONYM_NOT_FOUND = "Synonym not found."
INVITATION_NOT_REVOKED = "Failed to revoke invitation"
USER_NOT_SIGNED_OUT = "Failed to sign out user"
CHANGED_ELSEWHERE = "This was changed elsewhere in the meantime. What you save replaces it."


def changed_meanwhile(value: str) -> str:
    """Beside a field that a colleague has set to `value` since the form was opened."""
    quoted = value if len(value) <= 80 else f"{value[:79]}…"
    return f"Someone else has set this to “{quoted}” in the meantime. Save again to replace it."


LEGAL_LINE = "21+, keep out of reach of children, not analyzed by FDA, limited side effect information"


def added(product_name: str) -> Notice:
    return Notice("Added to Cart", f"{product_name} has been added to your cart.")


def not_an_admin(email: str) -> str:
    return f"Your account ({email}) doesn't have admin privileges."


def referred_by(name: str, discount_cents: int) -> Notice:
    gets = f" You'll get {show_short(discount_cents)} off when you make your first purchase!" if discount_cents else ""
    return Notice("Referral Applied!", f"You've been referred by {name}.{gets}")


def referral_sent(name: str, discount_cents: int) -> str:
    return f"{name[:1].upper()}{name[1:]} sent you {show_short(discount_cents)} off your first order"


def minimum_sentence(cents: int, zone: str = "") -> str:
    """`zone`: its name, if its own minimum applies instead of the shop's."""
    where = f" in {zone}" if zone else ""
    return f"Minimum order amount{where} is {show(cents)}. Please add more items to your cart."


def order_too_large(cents: int) -> str:
    return f"An order may have products for at most {show(cents)}. Please split it into several orders."


_REFUSAL_TITLES = {
    "minimum_order": "Minimum Order Required",
    "order_too_large": "Order Too Large",
    "legal_limit": "Over the Legal Limit",
    "limit_unknown": "Product Not Available",
}


def order_refused(blocker: str, sentence: str) -> Notice:
    """A blocker without a title of its own is about the place or the time of the delivery."""
    return Notice(_REFUSAL_TITLES.get(blocker, "Delivery Not Available"), sentence)


def minimum_hint(cents: int, zone: str = "") -> str:
    where = f" in {zone}" if zone else ""
    return f"Minimum order{where}: {show_short(cents)}"


def invitation_flavor(flavor: str) -> str:
    return f"Flavors such as {flavor} await you, with THC 20-28%."


def order_placed_for(time: str) -> Notice:
    """`time`: for example `Fri, Nov 27, 5:00 PM to 7:00 PM`."""
    return Notice(
        "Order Placed Successfully!", f"Your order will be delivered {time}. Payment will be collected on delivery."
    )


def order_placed(within: str) -> Notice:
    """`within`: for example `48 hours`."""
    return Notice(
        "Order Placed Successfully!",
        f"Your order will be delivered within {within}. Payment will be collected on delivery.",
    )
