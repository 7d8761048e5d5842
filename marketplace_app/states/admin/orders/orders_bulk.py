"""Sets one status for several selected orders: first a preview for each, then all or none."""

from dataclasses import dataclass

import reflex as rx

from marketplace_app import messages
from marketplace_app.display.labels import ORDER_HUES
from marketplace_app.messages import Notice
from marketplace_app.models import OrderStatus, Permission
from marketplace_app.schemas.admin.orders import ManyStatusForm, StatusOutcomeAnswer
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.services.admin import orders_bulk
from marketplace_app.states.admin.orders.orders import AdminOrdersState
from marketplace_app.states.events.base import Updates, action, toast, write
from marketplace_app.states.events.failures import Explain

STATUS_CHOICES = [("", "Set status"), *((each.value, each.label) for each in OrderStatus)]


@dataclass(frozen=True)
class OutcomeRow:
    id: str
    number: str
    from_label: str
    from_hue: str
    to_label: str
    to_hue: str
    problem: str
    is_change: bool


class AdminOrdersBulkState(rx.State):
    is_open: bool = False
    status: str = ""
    status_label: str = ""
    outcomes: list[OutcomeRow] = []
    summary: str = ""
    """`3 orders change, 1 stays as it is.`"""
    can_apply: bool = False
    is_applying: bool = False
    _seen: dict[str, OrderStatus] = {}
    """The status of each order in the preview, by id."""

    @action(who=Permission.EDIT_ORDERS, on_failure=Explain(messages.ERROR, messages.ORDER_NOT_UPDATED))
    async def preview(self, status: str) -> None:
        """'Set status': show the preview; nothing is changed yet."""
        if not status:
            return
        selected = sorted((await self.get_state(AdminOrdersState))._selected)
        form = parse(ManyStatusForm, {"ids": selected, "status": status})
        outcomes = await write(self, orders_bulk.preview_status_of_many, form)  # makes the changes and undoes them
        self._seen = {each.id: each.from_status for each in outcomes}
        self.status, self.status_label = form.status.value, form.status.label
        self.outcomes = [_row(each) for each in outcomes]
        changing, blocked = sum(each.is_change for each in outcomes), sum(bool(each.problem) for each in outcomes)
        self.summary = _summary(changing, len(outcomes) - changing - blocked, blocked)
        self.can_apply, self.is_open = changing > 0 and not blocked, True

    @action(who=Permission.EDIT_ORDERS)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close it, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self.is_open = False

    @action(who=Permission.EDIT_ORDERS, on_failure=Explain(messages.ERROR, messages.ORDER_NOT_UPDATED))
    async def apply(self) -> Updates:
        if not self.is_open:
            return
        self.is_applying = True
        yield None
        try:
            form = parse(ManyStatusForm, {"ids": list(self._seen), "status": self.status})
            changed = await write(self, orders_bulk.set_status_of_many, form, dict(self._seen))
        finally:
            self.is_applying = False
        self.is_open = False
        (await self.get_state(AdminOrdersState))._select(set())
        count = sum(each.is_change for each in changed)
        notice = messages.ORDER_UPDATED if count == 1 else Notice(f"{count} orders updated successfully")
        await toast(self, "success", notice)

    def _leave_page(self) -> None:
        if self.is_open:
            self.is_open = False


def _row(outcome: StatusOutcomeAnswer) -> OutcomeRow:
    return OutcomeRow(
        id=outcome.id,
        number=str(outcome.number),
        from_label=outcome.from_status.label,
        from_hue=ORDER_HUES[outcome.from_status],
        to_label=outcome.to_status.label,
        to_hue=ORDER_HUES[outcome.to_status],
        problem=outcome.problem or "",
        is_change=outcome.is_change,
    )


def _summary(changing: int, staying: int, blocked: int) -> str:
    parts = ["1 order changes" if changing == 1 else f"{changing} orders change"]
    if staying:
        parts.append("1 stays as it is" if staying == 1 else f"{staying} stay as they are")
    if blocked:
        parts.append(f"{blocked} cannot, so none changes")
    return ", ".join(parts) + "."
