"""What became of a stop, as it stands on a driver's paper (RULE paper)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from marketplace_app.limits import MAX_COUNTED_CENTS, MAX_STOP_NOTE
from marketplace_app.models import FailureReason
from marketplace_app.schemas.base import Cents, Form
from marketplace_app.schemas.delivery.windows import ClockTime
from marketplace_app.schemas.dispatch.door import PIN
from marketplace_app.schemas.texts import one_line

COUNT_EXPECTED = "Enter the amount that was counted."
REASON_EXPECTED = "Choose why it could not be delivered."


def _four_digits_or_none(text: str) -> str:
    if text and not PIN.fullmatch(text):
        raise ValueError("Four digits are expected, or nothing if none were written down.")
    return text


class PaperForm(Form):
    """A stop as its driver wrote it down."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "outcome": "delivered",
        "idChecked": True,
        "pin": "4071",
        "counted": "152.50",
        "at": "17:42",
    }
    MESSAGES: ClassVar[Mapping[str, str]] = {
        "outcome": "Say what became of it.",
        "counted": COUNT_EXPECTED,
        "reason": REASON_EXPECTED,
    }

    outcome: Literal["delivered", "failed"]
    id_checked: bool = False
    """All three boxes: 21 or older, name matches, not expired."""
    pin: Annotated[str, AfterValidator(_four_digits_or_none)] = Field("", repr=False)
    counted: Annotated[Cents, Field(ge=0, le=MAX_COUNTED_CENTS)] | None = None
    change_as_credit: Annotated[bool, Field(alias="keepChange")] = False
    """The customer gets the change as store credit, if the shop offers it (RULE change-as-credit)."""
    reason: Annotated[FailureReason, Field(strict=False)] | None = Field(None, validate_default=True)
    note: Annotated[str, Field(max_length=MAX_STOP_NOTE), AfterValidator(one_line)] = ""
    at: ClockTime | None = None
    """The time on the paper, on the day of the run. A time before the departure may mean the next day."""

    @field_validator("reason")
    @classmethod
    def _given_for_a_failure(cls, reason: FailureReason | None, info: ValidationInfo) -> FailureReason | None:
        if reason is None and info.data.get("outcome") == "failed":
            raise ValueError(REASON_EXPECTED)
        return reason
