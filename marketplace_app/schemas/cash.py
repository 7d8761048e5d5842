"""Cash as staff see and move it: accounts, movements, and the shifts of drivers (RULE cash-ledger, RULE shifts)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from marketplace_app import cash_messages
from marketplace_app.cash import DENOMINATIONS
from marketplace_app.limits import MAX_CASH_CENTS, MAX_CASH_NOTE, MAX_PIECES, MAX_SLIP_NUMBER
from marketplace_app.models import CashAccount, CashReason
from marketplace_app.schemas.base import Cents, Form, Moment, Money, PageQuery, RowId, View
from marketplace_app.schemas.dispatch.runs import PersonRef
from marketplace_app.schemas.texts import one_line

_Note = Annotated[str, Field(max_length=MAX_CASH_NOTE), AfterValidator(one_line)]
_Pieces = Annotated[int, Field(ge=0, le=MAX_PIECES)]
_ON_SITE_ACCOUNTS = (CashAccount.DESK, CashAccount.SAFE)


def _on_site(account: CashAccount) -> CashAccount:
    if account not in _ON_SITE_ACCOUNTS:
        raise ValueError(cash_messages.ACCOUNT_EXPECTED)
    return account


_OnSiteAccount = Annotated[
    CashAccount,
    Field(strict=False),
    AfterValidator(_on_site),
    WithJsonSchema({"type": "string", "enum": [account.value for account in _ON_SITE_ACCOUNTS]}),
]


class ShiftState(StrEnum):
    OPEN = "open"
    RECOUNT = "recount"
    """The first count does not match the expected amount: the cash is counted again."""
    DIFFERS = "differs"
    """Neither count matches the expected amount: closing the shift takes a reason and a witness."""
    AGREES = "agrees"
    """The last count matches the expected amount: the shift can be closed."""
    CLOSED = "closed"


class OpenShiftForm(Form):
    """A driver's shift begins, perhaps with cash."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"driverId": 12, "float": "50.00", "from": "desk"}
    MESSAGES: ClassVar[Mapping[str, str]] = {
        "driverId": "Choose a driver.",
        "float": cash_messages.AMOUNT_EXPECTED,
        "from": cash_messages.ACCOUNT_EXPECTED,
    }

    driver_id: RowId
    float_cents: Annotated[Cents, Field(alias="float", ge=0, le=MAX_CASH_CENTS)] = 0
    source: Annotated[_OnSiteAccount, Field(alias="from")] = CashAccount.DESK


class CountForm(Form):
    """What was counted: how many of each bill and coin, by its value in cents. Those left out are 0."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"pieces": {"10000": 3, "2000": 7, "25": 2}}
    MESSAGES: ClassVar[Mapping[str, str]] = {
        f"pieces.{denomination}": cash_messages.PIECES_EXPECTED for denomination in DENOMINATIONS
    }

    pieces: dict[str, _Pieces]

    @model_validator(mode="after")
    def _known_pieces(self) -> "CountForm":
        if not self.pieces.keys() <= {str(denomination) for denomination in DENOMINATIONS}:
            raise ValueError(cash_messages.UNKNOWN_PIECE)
        return self

    @property
    def cents(self) -> int:
        return sum(int(value) * count for value, count in self.pieces.items())


class CloseShiftForm(Form):
    """A shift whose last count does not match the expected amount needs a reason and a witness."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"reason": "A five-dollar bill is missing", "witnessId": 3}
    MESSAGES: ClassVar[Mapping[str, str]] = {
        "reason": cash_messages.REASON_EXPECTED,
        "witnessId": cash_messages.WITNESS_EXPECTED,
    }

    reason: _Note = ""
    witness_id: RowId | None = None


MOVES: Mapping[CashReason, tuple[CashAccount, CashAccount]] = {
    CashReason.DROP: (CashAccount.DESK, CashAccount.SAFE),
    CashReason.DEPOSIT: (CashAccount.SAFE, CashAccount.BANK),
    CashReason.WITHDRAWAL: (CashAccount.BANK, CashAccount.SAFE),
    CashReason.REFILL: (CashAccount.SAFE, CashAccount.DESK),
}
"""The reasons for which staff move cash between the shop's accounts: from which account, and to which."""
WITH_SLIP = (CashReason.DEPOSIT, CashReason.WITHDRAWAL)


def _movable(reason: CashReason) -> CashReason:
    if reason not in MOVES:
        raise ValueError(cash_messages.KIND_EXPECTED)
    return reason


class MoveCashForm(Form):
    """Cash goes from the desk to the safe, from the safe to the bank, or back."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"kind": "deposit", "amount": "1200.00", "slipNumber": "004711"}
    MESSAGES: ClassVar[Mapping[str, str]] = {
        "kind": cash_messages.KIND_EXPECTED,
        "amount": cash_messages.AMOUNT_EXPECTED,
        "slipNumber": cash_messages.SLIP_EXPECTED,
        "note": cash_messages.NOTE_TOO_LONG,
        "witnessId": cash_messages.WITNESS_EXPECTED,
    }

    kind: Annotated[
        CashReason,
        Field(strict=False),
        AfterValidator(_movable),
        WithJsonSchema({"type": "string", "enum": [kind.value for kind in MOVES]}),
    ]
    amount: Annotated[Cents, Field(ge=1, le=MAX_CASH_CENTS)]
    slip_number: Annotated[str, Field(max_length=MAX_SLIP_NUMBER), AfterValidator(one_line)] = ""
    """The number on the bank's slip, for a deposit or a withdrawal."""
    note: _Note = ""
    witness_id: RowId | None = None
    """The colleague who saw the cash being moved, if there was one."""


class CorrectCashForm(Form):
    """What was counted at the desk or in the safe: the ledger follows it."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"account": "desk", "counted": "312.50", "note": "Opening balance"}
    MESSAGES: ClassVar[Mapping[str, str]] = {
        "account": cash_messages.ACCOUNT_EXPECTED,
        "counted": cash_messages.AMOUNT_EXPECTED,
        "note": cash_messages.REASON_EXPECTED,
        "witnessId": cash_messages.WITNESS_EXPECTED,
    }

    account: _OnSiteAccount
    counted: Annotated[Cents, Field(ge=0, le=MAX_CASH_CENTS)]
    note: Annotated[str, Field(min_length=1, max_length=MAX_CASH_NOTE), AfterValidator(one_line)]
    witness_id: RowId | None = None


class MovementsQuery(PageQuery):
    """A page of the movements, newest first."""


class ShiftCountView(View):
    number: int = Field(examples=[1])
    pieces: dict[str, int] = Field(examples=[{"10000": 3, "2000": 7}], description="By value in cents.")
    counted_cents: Money = Field(examples=["440.00"])
    counted_by: str = Field(examples=["Ada"])
    counted_at: Moment


class ShiftView(View):
    """What is expected is shown once it can no longer influence a count."""

    id: int
    driver: PersonRef
    state: ShiftState
    opened_at: Moment
    opened_by: str = Field(examples=["Ada"])
    float_cents: Money = Field(examples=["50.00"])
    counts: tuple[ShiftCountView, ...]
    expected_cents: Money | None = Field(examples=["445.00"], description="Null until it was counted twice or agrees.")
    difference_cents: Money | None = Field(examples=["-5.00"], description="Counted minus expected.")
    reason: str = Field(examples=["A five-dollar bill is missing"])
    closed_at: Moment | None
    closed_by: str = Field(examples=["Ada"])
    witness: str = Field(examples=["Dora"])


class CashMovementView(View):
    id: int
    from_account: CashAccount
    to_account: CashAccount
    cents: Money = Field(alias="amount", examples=["152.50"])
    reason: CashReason
    order_id: str | None = Field(examples=["4f7c2a9e-5f0b-4f6e-9d83-0a8de7c1b2f4"])
    order_number: int | None = Field(examples=[1042])
    shift_id: int | None = Field(examples=[8])
    driver: str = Field(examples=["Dora"], description="Whose cash it is, for movements from or to a driver.")
    by: str = Field(examples=["Ada"])
    witness: str = Field(examples=["Dora"])
    slip_number: str = Field(examples=["004711"])
    note: str = Field(examples=["Friday"])
    created_at: Moment


class CashMovementsPage(View):
    total: int = Field(examples=[312])
    movements: tuple[CashMovementView, ...]


class CashView(View):
    """Cash in the shop, and the shifts of drivers. Cash that drivers carry is included only once it is handed in."""

    desk_cents: Money = Field(examples=["312.50"])
    safe_cents: Money = Field(examples=["2400.00"])
    bank_cents: Money = Field(examples=["18200.00"])
    variance_cents: Money = Field(examples=["5.00"], description="Missing in all counts together; negative: too much.")
    open_shifts: tuple[ShiftView, ...]
    closed_shifts: tuple[ShiftView, ...] = Field(description="The latest ones.")
