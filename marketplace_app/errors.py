"""The store's exceptions.

    StoreError
    ├── InvalidInput 422                 `fields` says what to correct
    ├── NotSignedIn 401
    ├── NotAllowed 403
    │   ├── InvitationRequired
    │   ├── AgeVerificationRequired
    │   ├── Banned
    │   └── ForeignOrigin
    ├── NotFound 404
    ├── MethodNotAllowed 405
    ├── Conflict 409
    │   ├── EditedMeanwhile              names the fields that somebody else has changed
    │   ├── OutOfStock
    │   │   └── AlreadyInCart
    │   ├── QuoteChanged                 carries the fresh quote
    │   └── OrderBlocked                 under the minimum, among others
    ├── TooLarge 413
    ├── UnsupportedMedia 415
    ├── IdempotencyMismatch 422
    ├── TooManyRequests 429              says when to come back
    └── Unavailable 503

Each failure knows its HTTP status, its code and a sentence that a person may read. `api` turns it into JSON. On a
screen, the action that failed declares what is shown (`states.events.failures`).
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar


class StoreError(Exception):
    status: ClassVar[int] = 500
    code: ClassVar[str] = "error"
    message: str = "Something went wrong. Please try again."

    def __init__(self, message: str | None = None) -> None:
        self.message = message or self.message
        super().__init__(self.message)

    def body(self) -> dict[str, object]:
        """The JSON answer (RULE wire-errors)."""
        return {"message": self.message, "code": self.code}

    def headers(self) -> dict[str, str]:
        return {}


class InvalidInput(StoreError):
    status, code = 422, "invalid_input"
    message = "Please check the fields below."

    def __init__(self, fields: Mapping[str, str], message: str | None = None) -> None:
        super().__init__(message or next(iter(fields.values()), None))
        self.fields = dict(fields)

    def body(self) -> dict[str, object]:
        return super().body() | {"fields": self.fields}


class NotSignedIn(StoreError):
    status, code = 401, "not_signed_in"
    message = "Please sign in."


class NotAllowed(StoreError):
    status, code = 403, "not_allowed"
    message = "You do not have access to this. Contact support if you think you should."


class InvitationRequired(NotAllowed):
    code = "invitation_required"
    message = "An invitation is required to shop here. Please open the link in yours, or contact support."


class AgeVerificationRequired(NotAllowed):
    code = "age_verification_required"
    message = "Please confirm that you are 21 or older to place an order."


class Banned(NotAllowed):
    code = "banned"

    def __init__(self, reason: str, support: str) -> None:
        super().__init__(f"This account has been suspended: {reason}. Please contact {support}.")


class ForeignOrigin(NotAllowed):
    code = "foreign_origin"
    message = "This request did not come from the store's own pages. Please reload the page and try again."


class NotFound(StoreError):
    status, code = 404, "not_found"
    message = "Not found. Please check the address."


class MethodNotAllowed(StoreError):
    status, code = 405, "method_not_allowed"
    message = "This method is not allowed here. See /api/docs for those that are."

    def __init__(self, allowed: Sequence[str]) -> None:
        """`allowed`: the methods that this address has. HEAD is added, because it works wherever GET does."""
        super().__init__()
        self.allowed = (*allowed, "HEAD") if "GET" in allowed else tuple(allowed)

    def headers(self) -> dict[str, str]:
        return {"Allow": ", ".join(self.allowed)}


class Conflict(StoreError):
    status, code = 409, "conflict"
    message = "This cannot be done as things are now. Please reload the page."


class EditedMeanwhile(Conflict):
    """Another user has changed what this would overwrite."""

    code = "edited_meanwhile"
    message = "Someone else has changed this in the meantime. Please check the marked fields, then save again."

    def __init__(self, fields: Sequence[str] = ()) -> None:
        super().__init__()
        self.fields = tuple(fields)


class OutOfStock(Conflict):
    code = "out_of_stock"

    def __init__(self, name: str, left: int, further_sentence: str = "") -> None:
        stock = f"Only {left} of {name} left." if left else f"{name} is out of stock."
        super().__init__(f"{stock} {further_sentence}".strip())


class AlreadyInCart(OutOfStock):
    """The cart already holds so many that the stock does not allow more: trying again cannot work."""

    def __init__(self, name: str, left: int, in_cart: int) -> None:
        all_of_it = "It is in your cart already." if in_cart == 1 else f"All {in_cart} are in your cart already."
        super().__init__(name, left, f"You have {in_cart} in your cart." if in_cart != left else all_of_it)


class QuoteChanged(Conflict):
    code = "quote_changed"
    message = "Prices or stock have changed. Please review the new total."

    def __init__(self, quote: Mapping[str, object]) -> None:
        super().__init__()
        self.quote = dict(quote)

    def body(self) -> dict[str, object]:
        return super().body() | {"quote": self.quote}


class OrderBlocked(Conflict):
    """An order cannot be placed; the code names the first reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.blocker = code

    def body(self) -> dict[str, object]:
        return super().body() | {"code": self.blocker}


class TooLarge(StoreError):
    status, code = 413, "too_large"
    message = "This request is too large. Please send less at once."


class UnsupportedMedia(StoreError):
    status, code = 415, "unsupported_media_type"
    message = "Please send JSON (Content-Type: application/json)."


class IdempotencyMismatch(StoreError):
    status, code = 422, "idempotency_mismatch"
    message = "This Idempotency-Key was already used with another order. Please use a new one."


class TooManyRequests(StoreError):
    status, code = 429, "too_many_requests"
    message = "Too many requests. Please wait a moment and try again."

    def __init__(self, retry_after_seconds: int = 1) -> None:
        super().__init__()
        self.retry_after_seconds = max(1, retry_after_seconds)

    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(self.retry_after_seconds)}


class Unavailable(StoreError):
    status, code = 503, "unavailable"
    message = "The store cannot be reached right now. Please try again in a moment."

    def headers(self) -> dict[str, str]:
        return {"Retry-After": "5"}
