"""What the store keeps about a user, in figures."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class StoredDataView:
    """Figures only; the data itself is shown on the pages it belongs to."""

    email: str
    addresses: int
    orders: int
    cart_products: int
    tickets: int
    browsers: int
    credit_cents: int
    age_verified_at: datetime | None
    preferences_saved_at: datetime | None
    medical_consent_at: datetime | None
