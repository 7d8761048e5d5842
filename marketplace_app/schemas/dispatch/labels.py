"""What stands on the outside of a bag (RULE bag-labels)."""

from datetime import datetime

from pydantic import Field

from marketplace_app.schemas.base import Money, View


class BagLabel(View):
    run_id: int | None = Field(examples=[8])
    """None if the order is on no run."""
    position: int | None = Field(examples=[1])
    order_number: int = Field(examples=[1042])
    customer_name: str
    zip_code: str = Field(examples=["97201"])
    """Empty if the address names none."""
    city: str = Field(examples=["Portland"])
    """Empty if the address was given as one text, not in parts."""
    window_starts_at: datetime | None
    window_ends_at: datetime | None
    cash_cents: Money = Field(examples=["152.50"])
    units: int = Field(examples=[3])
    batch_codes: tuple[str, ...] = Field(examples=[["AR-2610", "FH-2611"]])
    link: str = Field(examples=["https://shop.example.com/drive?order=1042"])
    """What the QR code says: the stop on the driver's page."""
