"""The batches of an order, and what its customer wants if it is packed from others (RULE batch-wish)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from marketplace_app.models import BatchState, QuestionOutcome, Substitution
from marketplace_app.schemas.base import Form, Moment, RowId, View
from marketplace_app.schemas.batches.recalls import RecallNotice
from marketplace_app.schemas.buying.order_forms import Wish


def _refuse_lapsed(answer: QuestionOutcome) -> QuestionOutcome:
    if answer is QuestionOutcome.LAPSED:
        raise ValueError(AnswerForm.MESSAGES["answer"])
    return answer


class WishForm(Form):
    """Another wish for an order that is not out yet."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"substitution": "close"}

    substitution: Wish


class SwapForm(Form):
    """All units that a line has of one batch, in exchange for those of another."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"fromBatchId": 12, "toBatchId": 15}

    from_batch_id: RowId
    to_batch_id: RowId


class AnswerForm(Form):
    """The answer to whether another batch is fine."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"answer": "yes"}
    MESSAGES: ClassVar[Mapping[str, str]] = {"answer": "The answer is 'yes' or 'no'."}

    answer: Annotated[QuestionOutcome, Field(strict=False), AfterValidator(_refuse_lapsed)]


class QuestionRef(Form):
    """A question on the page of an order."""

    id: RowId


class BatchKey(Form):
    """One of the batches on the screen."""

    key: Annotated[str, Field(max_length=12)]


class LineShare(Form):
    """The units of one batch on a line, as the page names them."""

    product_id: RowId
    batch_id: RowId


class OrderBatch(View):
    """Units of one batch in an order."""

    product_id: int
    product: str = Field(examples=["Fern Hollow"])
    batch_id: int = Field(examples=[12])
    code: str = Field(examples=["FH-2611"])
    expires_on: date | None
    thc_percent: float | None = Field(examples=[22.4])
    state: BatchState
    units: int = Field(examples=[2])
    # None unless the batch was recalled. The pages show it; the API does not.
    recall: RecallNotice | None = Field(default=None, exclude=True)


def recalled(batches: Iterable[OrderBatch]) -> tuple[RecallNotice, ...]:
    """The recall notices of the batches that were recalled."""
    return tuple(each.recall for each in batches if each.recall)


class Picked(View):
    """What became of a swap that staff asked for."""

    is_asked: bool
    """The customer was asked, and nothing has changed yet."""
    batches: tuple[OrderBatch, ...]
    """What the order has now."""


class BatchQuestionView(View):
    """Whether the units that an order has of one batch may be of another."""

    id: int = Field(examples=[31])
    product_id: int
    product: str = Field(examples=["Fern Hollow"])
    units: int = Field(examples=[2])
    from_batch_id: int = Field(examples=[12])
    from_code: str = Field(examples=["FH-2611"])
    from_thc_percent: float | None = Field(examples=[22.4])
    to_batch_id: int = Field(examples=[15])
    to_code: str = Field(examples=["FH-2612"])
    to_thc_percent: float | None = Field(examples=[25.1])
    asked_at: Moment
    ended_at: Moment | None
    outcome: QuestionOutcome | None = Field(description="`null` until it has ended.")


@dataclass(frozen=True)
class ReplacementBatch:
    """A batch that can take the place of one in an order."""

    batch_id: int
    code: str
    expires_on: date | None
    thc_percent: float | None
    units: int
    asks: bool
    """Whether the customer is asked first."""


@dataclass(frozen=True)
class BatchChoices:
    current: OrderBatch
    wish: Substitution
    others: tuple[ReplacementBatch, ...]
