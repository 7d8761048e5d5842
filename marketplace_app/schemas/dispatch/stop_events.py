"""What was reported at the stops of a run, as staff see it (RULE run-page)."""

from pydantic import Field

from marketplace_app.models import EventResult, EventSource, StopEventKind
from marketplace_app.schemas.base import Moment, View
from marketplace_app.schemas.dispatch.door import RefusalCode
from marketplace_app.schemas.dispatch.runs import PersonRef


class StopEventView(View):
    """A report from a stop: what it says, who sent it, and what became of it. A door PIN is never in it."""

    id: int
    stop_id: int = Field(examples=[31])
    kind: StopEventKind
    source: EventSource
    reporter: PersonRef
    claimed_at: Moment = Field(description="When it happened, according to the phone or the paper.")
    received_at: Moment
    result: EventResult
    code: RefusalCode | None = Field(description="Why it was refused.")
    text: str = Field(examples=["Cash counted: $152.50"], description="What it says, and what became of it.")
