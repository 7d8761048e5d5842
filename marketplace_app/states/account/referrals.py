"""The referral panel of the account."""

from dataclasses import dataclass
from urllib.parse import quote

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import clock, messages, money
from marketplace_app.config import get_settings
from marketplace_app.errors import InvalidInput, StoreError
from marketplace_app.messages import Notice
from marketplace_app.schemas.account.referrals import ApplyForm, CodeInput, CreditState, ReferralsView, StatementLine
from marketplace_app.schemas.base import parse
from marketplace_app.services import referrals, settings
from marketplace_app.states.events.base import SIGNED_IN, Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, On, Say

REFERRER_ID = "referrer"
"""Receives the focus when the form for a code disappears."""
_STATE_BADGES = {
    CreditState.EARNED: ("Delivered", "green"),
    CreditState.PENDING: ("Pending", "yellow"),
    CreditState.REVERSED: ("Cancelled", "red"),
    CreditState.SPENT: ("Credit used", "grey"),
    CreditState.REFUNDED: ("Credit returned", "grey"),
    CreditState.ADJUSTED: ("Adjusted", "grey"),
    CreditState.CHANGE: ("Change kept", "green"),
    CreditState.CHANGE_RETURNED: ("Change returned", "grey"),
}


@dataclass(frozen=True)
class StatementRow:
    key: str
    what: str
    state: str
    hue: str
    date: str
    amount: str
    is_pending: bool


class ReferralFormData(TypedDict, total=False):
    referralCode: str


class ReferralsState(rx.State):
    is_loading: bool = True
    code: str = ""
    link: str = ""
    """The link opens the welcome page; the code is applied once the friend has signed in."""
    completed: int = 0
    credit: str = ""
    referred_by: str = ""
    can_apply: bool = False
    typed: str = ""
    """The code in the field."""
    error: str = ""
    """Why the last code was refused; shown beside the field."""
    is_applying: bool = False
    statement: list[StatementRow] = []

    async def _ask_again(self, error: InvalidInput) -> None:
        self.error = messages.REFERRAL_TRY_AGAIN

    async def _show_error(self, error: StoreError) -> None:
        """Beside the field, which keeps what was typed."""
        self.error = error.message

    @action(who=SIGNED_IN)
    async def type_code(self, text: str) -> None:
        """While the user types: the button is enabled when there is something to apply."""
        self.typed, self.error = parse(CodeInput, {"text": text}).text.upper(), ""

    @action(
        who=SIGNED_IN,
        signed_out=messages.SIGN_IN_FOR_ACCOUNT,
        on_failure=(
            On(InvalidInput, _ask_again),
            Say(Notice(messages.REFERRAL_REFUSED, messages.REFERRAL_TRY_AGAIN), InvalidInput),
            On(StoreError, _show_error),
            Explain(messages.REFERRAL_REFUSED),
        ),
    )
    async def apply(self, form: ReferralFormData) -> Updates:
        """Submit."""
        if not self.can_apply:
            return
        self.is_applying, self.error = True, ""
        yield None
        try:
            parsed = parse(ApplyForm, {"referralCode": form.get("referralCode", "")})
            name = await write(self, referrals.apply, parsed)
        finally:
            self.is_applying = False
        self._show(await write(self, referrals.show))
        self.typed = ""
        shop = await read(self, settings.published)
        await toast(self, "success", messages.referred_by(name, shop.referral_discount_cents))
        yield rx.set_focus(REFERRER_ID)

    async def _load(self, shared_code: str) -> None:
        """`shared_code`, from a friend's link, is filled in for users who may still apply one."""
        self._show(await write(self, referrals.show))
        if self.can_apply and not self.typed:
            self.typed = shared_code.upper()

    def _show(self, view: ReferralsView) -> None:
        self.code = view.code
        self.link = f"{get_settings().public_url}/r/{quote(view.code)}"
        self.completed, self.credit = view.stats.completed_referrals, money.show(view.stats.available_credit_cents)
        self.referred_by, self.can_apply = view.referred_by, view.can_apply
        self.statement = [_row(index, line) for index, line in enumerate(view.statement)]
        self.is_loading = False


def _row(index: int, line: StatementLine) -> StatementRow:
    state, hue = _STATE_BADGES[line.state]
    is_pending = line.state is CreditState.PENDING
    sign = "" if is_pending else ("+" if line.amount_cents > 0 else "−")
    return StatementRow(
        key=str(index),
        what=line.what[:1].upper() + line.what[1:],
        state=state,
        hue=hue,
        date=clock.show_date(line.at, get_settings().timezone),
        amount=f"{sign}{money.show(abs(line.amount_cents))}",
        is_pending=is_pending,
    )
