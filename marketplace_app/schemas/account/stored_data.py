"""What the privacy page says that the store keeps about a user."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class StoredDataView:
    """Counts and dates only; the data itself is shown on the pages it belongs to."""

    email: str
    addresses: int
    orders: int
    birth_dates: int
    """How many orders keep one on their record, because a US state's rules require it."""
    cart_products: int
    tickets: int
    browsers: int
    """In which the user is signed in."""
    credit_cents: int
    age_verified_at: datetime | None
    preferences_saved_at: datetime | None
    medical_consent_at: datetime | None
