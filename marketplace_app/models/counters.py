"""Counters."""

from sqlmodel import Field, SQLModel


class Counter(SQLModel, table=True):
    """Numbers that must follow one another without a race: order numbers, the head of the audit chain."""

    __tablename__ = "counters"

    name: str = Field(primary_key=True)
    value: int = 0
    text_value: str = ""
