"""Runs and the dispatch board, as staff plan and see them (RULE runs, RULE dispatch-board)."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, ConfigDict, Field, field_validator

from marketplace_app.limits import MAX_RUN_STOPS, MAX_STOP_NOTE, MAX_VEHICLE
from marketplace_app.models import FailureReason, OrderStatus, StopFlag, StopOutcome
from marketplace_app.schemas.base import CalendarDay, Day, Form, Moment, Money, RowId, View
from marketplace_app.schemas.texts import one_line

_OrderId = Annotated[str, Field(min_length=1, max_length=64)]


class RunState(StrEnum):
    PLANNED = "planned"
    OUT = "out"
    CLOSED = "closed"


class Readiness(StrEnum):
    """Whether a customer is ready for their delivery window (RULE ready-question)."""

    NOT_ASKED = "not_asked"
    SILENT = "silent"
    """Asked, and has not answered yet."""
    READY = "ready"


class RunForm(Form):
    """Who drives what on which day. Also replaces these facts of a run that has not departed."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"day": "2026-11-27", "driverId": 12, "vehicle": "White van"}
    MESSAGES: ClassVar[Mapping[str, str]] = {
        "driverId": "Choose a driver.",
        "vehicle": f"Enter at most {MAX_VEHICLE} characters.",
    }

    day: CalendarDay
    driver_id: RowId
    vehicle: Annotated[str, Field(max_length=MAX_VEHICLE), AfterValidator(one_line)] = ""

    def columns(self) -> dict[str, Any]:
        return {"day": self.day, "driver_id": self.driver_id, "vehicle": self.vehicle}


class NewRunForm(RunForm):
    """A run with its first stops, in this order."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {**RunForm.EXAMPLE, "orderIds": ["4f7c2a9e-5f0b-4f6e-9d83-0a8de7c1b2f4"]}

    order_ids: Annotated[list[_OrderId], Field(max_length=MAX_RUN_STOPS)] = []

    @field_validator("order_ids")
    @classmethod
    def _each_once(cls, ids: list[str]) -> list[str]:
        return list(dict.fromkeys(ids))


class StopForm(Form):
    """An order that is put on a run, or moved to it from another run that has not departed."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"orderId": "4f7c2a9e-5f0b-4f6e-9d83-0a8de7c1b2f4", "position": 2}

    order_id: _OrderId
    position: Annotated[int, Field(ge=1, le=MAX_RUN_STOPS)] | None = None
    """The place of the order in the run; without one, the order comes last."""


class StopSequenceForm(Form):
    """The sequence of a run's stops: the ids of all that have not ended, first to last."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"stopIds": [31, 30, 32]}

    stop_ids: Annotated[list[RowId], Field(min_length=1, max_length=MAX_RUN_STOPS)]


class ReleaseForm(Form):
    """Why a dispatcher unlocks a stop or clears its flag."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"reason": "Called the customer, who read the PIN to me"}
    MESSAGES: ClassVar[Mapping[str, str]] = {"reason": f"Enter a reason of 1 to {MAX_STOP_NOTE} characters."}

    reason: Annotated[str, Field(min_length=1, max_length=MAX_STOP_NOTE), AfterValidator(one_line)]


class OrderRef(Form):
    """The id of an order, as a card on the screen sends it."""

    order_id: _OrderId


class RunRef(Form):
    """The id of a run, as its page and the buttons on the board send it."""

    run: RowId


class StopRef(RunRef):
    """The ids of a stop and its run, as the buttons beside the stop send them."""

    stop: RowId


class RunQuery(Form):
    model_config = ConfigDict(strict=False, extra="ignore")

    day: Day | None = None
    """Without it, today at the store."""


class OrderCard(View):
    """An order that is to be delivered, as dispatchers see it."""

    order_id: str
    number: int = Field(examples=[1042])
    status: OrderStatus
    customer_name: str
    address: str = Field(examples=["214 Larch Street, Portland, OR 97201"])
    zip_code: str = Field(alias="zip", examples=["97201"], description="Empty if the address names none.")
    window_starts_at: Moment | None = Field(alias="windowStart")
    window_ends_at: Moment | None = Field(alias="windowEnd")
    promised_by: Moment
    cash_cents: Money = Field(examples=["152.50"], description="What the driver collects.")
    attempts: int = Field(examples=[0], description="Failed attempts to deliver.")
    readiness: Readiness
    at_risk: str = Field(examples=["Not planned, and promised by 19:00."], description="Why; empty if it is not.")
    is_recalled: bool = Field(description="It has not ended, and has units of a recalled batch.")


class StopView(View):
    """A stop of a run."""

    id: int
    position: int = Field(examples=[1])
    card: OrderCard = Field(alias="order")
    outcome: StopOutcome | None
    failure: FailureReason | None
    ended_at: Moment | None
    is_locked: bool = Field(description="A wrong PIN was entered too often.")
    flag: StopFlag | None


class PersonRef(View):
    id: int
    name: str


class RunView(View):
    id: int
    day: date
    driver: PersonRef
    vehicle: str = Field(examples=["White van"])
    state: RunState
    planned_at: Moment
    departed_at: Moment | None
    closed_at: Moment | None
    stops: tuple[StopView, ...]
    cash_cents: Money = Field(examples=["612.00"], description="The total of the stops that have not ended.")

    def values(self) -> dict[str, Any]:
        """The fields of `RunForm`, by their wire names."""
        return {"day": self.day, "driverId": self.driver.id, "vehicle": self.vehicle}


class Problem(View):
    """What waits for a dispatcher's decision."""

    card: OrderCard = Field(alias="order")
    stop_id: int = Field(examples=[31])
    run_id: int = Field(examples=[8])
    message: str = Field(examples=["Not home at 17:42. Call the customer, then plan it again or cancel it."])
    needs_release: bool = Field(description="It is locked or flagged, and is released with a reason.")


class DispatchBoard(View):
    unplanned: tuple[OrderCard, ...]
    planned: tuple[RunView, ...]
    out: tuple[RunView, ...]
    problems: tuple[Problem, ...]


class Suggestion(View):
    """A sequence for the stops that have not ended. It is only a suggestion: nothing is changed."""

    stop_ids: tuple[int, ...] = Field(examples=[[31, 30, 32]])
    note: str = Field(examples=["By delivery window, then by the straight-line distance between ZIP codes."])
