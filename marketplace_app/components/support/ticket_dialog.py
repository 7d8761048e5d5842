"""One ticket: its analysis, its conversation, the reply form, and what staff may set."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.dialogs import close_button, dialog, dialog_title
from marketplace_app.components.controls.fields import form_key_field, select, text_area
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.display.labels import TICKET_CATEGORY_LABELS, label_of
from marketplace_app.framework.components import HookProps
from marketplace_app.limits import MAX_TICKET_MESSAGE
from marketplace_app.messages import TICKET_NOT_FOUND
from marketplace_app.models import TicketPriority, TicketStatus
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.support.ticket import MessageRow, TicketState

TICKET_OPTIONS: dict[str, list[tuple[str, str]]] = {
    "Status": [(each.value, label_of(each)) for each in TicketStatus],
    "Priority": [(each.value, label_of(each)) for each in TicketPriority],
    "Category": [(category.value, label) for category, label in TICKET_CATEGORY_LABELS.items()],
}
_PADDING = "px-5 md:px-7"
_CONVERSATION = "conversation"


class Conversation(HookProps, rx.el.Ul):
    """Scrolls to a new message; the initial scroll position of the conversation is kept."""

    hook_props = ("count",)
    count: rx.Var[int]

    def add_imports(self) -> dict[str, Any]:
        return {"react": ["useEffect", "useRef"]}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        return [
            rx.Var("const shown = useRef(0)"),
            rx.Var(
                f"useEffect(() => {{ if (shown.current && {self.count} > shown.current) "
                f"document.getElementById('{_CONVERSATION}')?.lastElementChild?.scrollIntoView({{block: 'nearest'}}); "
                f"shown.current = {self.count}; }}, [{self.count}])"
            ),
        ]


def _head(title: Any, *below: rx.Component) -> rx.Component:
    return rx.el.header(
        rx.el.div(
            dialog_title(title, class_name="text-h2 wrap-anywhere md:text-title"), *below, class_name="min-w-0 pt-1.5"
        ),
        close_button(),
        class_name=(
            "flex flex-none items-start justify-between gap-3 border-b border-line pt-3 pr-2 pb-4 pl-5 md:pl-7"
        ),
    )


def _facts() -> rx.Component:
    return rx.el.div(
        badge(TicketState.status_label, TicketState.status_hue),
        badge(TicketState.priority_label, TicketState.priority_hue),
        rx.el.span(TicketState.category_label),
        rx.el.span(TicketState.short_id),
        rx.el.span(TicketState.created),
        rx.cond(TicketState.customer != "", rx.el.span(TicketState.customer, class_name="wrap-anywhere")),
        rx.cond(
            TicketState.order_href != "",
            link(
                "See the order", href=TicketState.order_href, class_name="text-brand-text underline underline-offset-3"
            ),
        ),
        class_name="mt-2 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 text-cap text-ink-3 tabular-nums",
    )


def analysis(estimate: rx.Var[str], words: rx.Var[str], tags: rx.Var[list[str]], *, suffix: str = "") -> rx.Component:
    """The triage of a ticket, and the words that decided it. `suffix` makes the section's name unique on the page."""

    def fact(term: str, value: rx.Var[str]) -> rx.Component:
        return rx.el.div(
            rx.el.dt(term, class_name="text-cap text-ink-3"), rx.el.dd(value, class_name="font-semibold wrap-anywhere")
        )

    return rx.el.section(
        rx.el.h3(
            icon("scan", "sm", "text-amber-text"),
            "AI analysis",
            class_name="flex items-center gap-2 font-sans text-small font-semibold",
        ),
        rx.el.dl(
            fact("Estimated resolution", estimate),
            rx.cond(words != "", fact("Why", words)),
            class_name="flex flex-wrap gap-x-9 gap-y-2 text-small",
        ),
        rx.el.ul(
            rx.foreach(
                tags,
                lambda tag: rx.el.li(
                    badge(tag, "grey"),
                    key=tag,
                    class_name="min-w-0 max-w-full *:h-auto *:min-h-6 *:py-1 *:whitespace-normal *:wrap-anywhere",
                ),
            ),
            aria_label="Tags",
            class_name="flex flex-wrap gap-1.5",
        ),
        aria_label=f"AI analysis{suffix}",
        class_name="grid gap-2.5 rounded-1 border border-ink px-4 py-3.5",
    )


def message(row: rx.Var[MessageRow]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.b(row.who, class_name="font-semibold text-ink wrap-anywhere"),
            rx.el.span(row.at, class_name="tabular-nums"),
            class_name="flex flex-wrap justify-between gap-x-4 text-cap text-ink-2",
        ),
        rx.el.p(row.text, class_name="mt-1 wrap-anywhere whitespace-pre-wrap"),
        key=row.key,
        class_name=[
            "max-w-[88%] min-w-[60%] scroll-mb-5 rounded-2 px-4 py-3 text-ui",
            rx.cond(row.is_own_side, "justify-self-end bg-wash", "justify-self-start bg-sunken"),
        ],
    )


def _setting(label: str) -> rx.Component:
    name = label.lower()
    return rx.el.div(
        rx.el.span(label, class_name="text-cap text-ink-3", aria_hidden="true"),
        select(TICKET_OPTIONS[label], label, getattr(TicketState, name), lambda value: TicketState.change(name, value)),
        class_name="grid gap-1",
    )


def _staff_settings() -> rx.Component:
    return rx.cond(
        ViewerState.is_staff,
        rx.el.section(
            *[_setting(label) for label in TICKET_OPTIONS],
            aria_label="For staff",
            class_name="grid gap-3 sm:grid-cols-3",
        ),
    )


def _reply() -> rx.Component:
    return rx.el.form(
        text_area(
            "Your reply",
            "message",
            TicketState.error,
            rows=3,
            max_length=MAX_TICKET_MESSAGE,
            key=TicketState.form_key,
            on_change=TicketState.type_reply,
        ),
        rx.el.div(
            pending_button(
                "Send Reply", "Sending...", TicketState.is_sending, disabled=~TicketState.has_text, type="submit"
            ),
            class_name="flex justify-end",
        ),
        form_key_field(TicketState.form_key),
        on_submit=TicketState.send,
        no_validate=True,
        class_name=f"grid flex-none gap-3 border-t border-line pt-4 pb-5 {_PADDING}",
    )


def _ended() -> rx.Component:
    """Replaces the reply form of a resolved or closed ticket (RULE ticket-reply). A resolved one may be reopened."""
    return rx.el.div(
        rx.cond(
            TicketState.status == TicketStatus.CLOSED.value,
            rx.el.p("This ticket is closed."),
            rx.el.p("This ticket is resolved."),
        ),
        rx.cond(
            TicketState.can_reopen,
            button("Still not solved?", variant="outline", size="sm", on_click=TicketState.reopen),
        ),
        class_name=(
            "flex flex-none flex-wrap items-center justify-between gap-3 border-t border-line py-4 text-small "
            f"text-ink-2 {_PADDING}"
        ),
    )


def _found() -> rx.Component:
    conversation = Conversation.create(
        rx.foreach(TicketState.conversation, message),
        count=TicketState.conversation.length(),
        id=_CONVERSATION,
        aria_label="Conversation",
        aria_live="polite",
        class_name="grid gap-3",
    )
    return rx.fragment(
        _head(TicketState.subject, _facts()),
        rx.el.div(
            analysis(TicketState.estimated_resolution, TicketState.triage_words, TicketState.tags),
            _staff_settings(),
            conversation,
            tab_index=0,
            role="region",
            aria_label="Ticket",
            class_name=f"grid flex-1 content-start gap-5 overflow-auto py-5 focus-visible:-outline-offset-2 {_PADDING}",
        ),
        rx.cond(TicketState.can_reply, _reply(), _ended()),
    )


def _missing() -> rx.Component:
    return rx.fragment(
        _head(TICKET_NOT_FOUND),
        rx.el.p(
            "It may belong to another account, or the link may be incomplete.", class_name=f"py-6 text-ink-2 {_PADDING}"
        ),
    )


def _skeleton() -> rx.Component:
    return rx.fragment(
        _head("Ticket"),
        rx.el.div(
            skeleton_block("h-28 w-full"),
            skeleton_block("h-20 w-4/5"),
            class_name=f"grid gap-5 py-5 {_PADDING}",
            aria_hidden="true",
        ),
    )


def ticket_dialog() -> rx.Component:
    return dialog(
        rx.match(TicketState.view, ("found", _found()), ("missing", _missing()), _skeleton()),
        shape="wide",
        open=TicketState.view != "closed",
        on_open_change=TicketState.set_open,
    )
