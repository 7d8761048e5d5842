"""Named counters, some of which serve only as locks (`services.records.counters`)."""

from sqlmodel import Field, SQLModel


class Counter(SQLModel, table=True):
    """Order numbers, the catalogue's version, the head of the audit trail: numbers incremented without a race."""

    __tablename__ = "counters"

    name: str = Field(primary_key=True)
    value: int = 0
    text_value: str = ""
    """The hash of the newest entry, for the head of the audit trail; otherwise empty."""
