"""The audit trail: queries, entries, and the verification of the chain."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import ConfigDict, Field, field_serializer

from marketplace_app.limits import ADMIN_PAGE_SIZE, MAX_PAGE_SIZE
from marketplace_app.schemas.base import MAX_ROW_ID, Day, Form, MomentText, PageOfList, PageQuery, View

Action = Annotated[str, Field(max_length=60)]
Subject = Annotated[str, Field(max_length=120)]
ActorId = Annotated[int, Field(ge=0, le=MAX_ROW_ID)]
NO_ACTOR = 0
"""In place of an actor's id: what the store itself did, by its command line or timetable."""


class AuditQuery(PageQuery):
    model_config = ConfigDict(validate_by_name=True)

    actor: ActorId | None = None
    action: Action = ""
    subject: Subject = ""
    """`order:<id or number>`, `user:12`, `product:7`, `setting:minimum_order_cents`."""
    day_from: Annotated[Day | None, Field(alias="from")] = None
    """Days are the store's, both included."""
    day_to: Annotated[Day | None, Field(alias="to")] = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE_SIZE)] = MAX_PAGE_SIZE

    @property
    def is_filtered(self) -> bool:
        return self.actor is not None or bool(self.action or self.subject or self.day_from or self.day_to)


class AuditParams(Form):
    """`/admin/audit?actor=3&action=order.status&page=2`"""

    model_config = ConfigDict(strict=False, extra="ignore", validate_by_name=True)

    actor: ActorId | None = None
    action: Action = ""
    subject: Subject = ""
    day_from: Day | None = None
    day_to: Day | None = None
    page: PageOfList = 1

    def query(self) -> AuditQuery:
        return AuditQuery(
            actor=self.actor,
            action=self.action,
            subject=self.subject,
            day_from=self.day_from,
            day_to=self.day_to,
            limit=ADMIN_PAGE_SIZE,
            offset=(self.page - 1) * ADMIN_PAGE_SIZE,
        )

    @property
    def is_filtered(self) -> bool:
        return self.query().is_filtered


class AuditControlValue(Form):
    """What a filter of the audit page was set to; the other fields keep their defaults."""

    model_config = ConfigDict(strict=False)

    actor: ActorId | None = None
    action: Action = ""
    subject: Subject = ""
    day_from: Day | None = None
    day_to: Day | None = None


@dataclass(frozen=True)
class Colleague:
    """A user by whom the audit trail can be filtered."""

    id: int
    name: str


class EntryView(View):
    id: int
    at: MomentText = Field(examples=["2026-11-20T11:40:00Z"])
    actor_id: int | None
    actor: str = Field(examples=["Ada"])
    action: str = Field(examples=["order.status"])
    subject: str = Field(examples=["order:9f3c21ab-7d6e-4d2c-9c55-1f0ce2b7a001"])
    words: str = Field(examples=["Ada changed order 1036: pending → confirmed"])
    """What the actor did: `changed order 1036: pending → confirmed`. In JSON, the actor's name comes first."""
    href: str = Field("", exclude=True)
    """The page of the entry's subject; empty if it has none."""
    details: dict[str, Any]
    previous_hash: str
    hash: str

    @field_serializer("words")
    def _sentence(self, words: str) -> str:
        return f"{self.actor} {words}"


# The first entry that was changed, removed or added.
class ChainBreak(View):
    entry_id: int | None
    """None: the last entries are missing."""
    why: str


# How far the chain has been verified; over REST, all of it.
class ChainAnswer(View):
    entries: int
    is_whole: bool
    broken: ChainBreak | None
    after_id: int = Field(0, exclude=True)
    hash: str = Field("", exclude=True)
    is_done: bool = Field(False, exclude=True)


CHAIN_START = ChainAnswer(entries=0, is_whole=True, broken=None)
