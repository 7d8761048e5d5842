"""Named counters, which also serve as locks (`services.counters`)."""

from sqlmodel import Field, SQLModel


class Counter(SQLModel, table=True):
    """Order numbers, the catalogue's version, the head of the audit chain: numbers that are raised without a race."""

    __tablename__ = "counters"

    name: str = Field(primary_key=True)
    value: int = 0
    text_value: str = ""
