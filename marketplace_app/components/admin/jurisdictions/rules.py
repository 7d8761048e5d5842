"""The versions of rules, one panel per state; the lines of the opened version; and the question before a review."""

import reflex as rx

from marketplace_app.components.admin.jurisdictions.rule_forms import copy_dialog, draft_dialog
from marketplace_app.components.admin.list_panels import LIST, confirmation_dialog
from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.fields import field_error, radio
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import LINK_CLASS, link
from marketplace_app.components.controls.notices import empty_state, note
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.models import Permission
from marketplace_app.states.admin.jurisdictions.rule_forms import AdminRuleCopyState, AdminRuleDraftState
from marketplace_app.states.admin.jurisdictions.rules import (
    OPENED_ID,
    AdminRulesState,
    LineRow,
    OptionRow,
    RulesVersionRow,
    StateRow,
)

_MAY_EDIT = may(Permission.EDIT_RULES)
# A badge with a day in it is wider than the narrowest phones.
_WRAPS = "*:h-auto *:min-h-6 *:leading-tight *:whitespace-normal"
_ALL_REFUSED = "No rules yet. Orders are refused until the rules of their state are reviewed."


def rules() -> rx.Component:
    state = AdminRulesState
    listed = rx.cond(
        state.states.length() > 0,
        rx.el.div(rx.foreach(state.states, _us_state), class_name="grid gap-4"),
        empty_state("scale", rx.cond(state.is_enforced, _ALL_REFUSED, "No rules yet.")),
    )
    add = rx.cond(_MAY_EDIT, button("Add Draft", size="sm", on_click=AdminRuleDraftState.open_new))
    return rx.fragment(
        heading("Rules", add, below="What the law of a state asks of orders that go there. Not legal advice."),
        rx.cond(~state.is_loading & ~state.is_enforced, _not_applied()),
        rx.cond(state.is_loading, skeleton_block("h-48 w-full rounded-2"), listed),
        rx.cond(_MAY_EDIT, rx.fragment(_review_dialog(), draft_dialog(), copy_dialog())),
    )


def _not_applied() -> rx.Component:
    return note(
        "Rules are not applied. Turn on “Apply the state's rules” in ",
        link("Settings", href="/admin/settings", class_name=LINK_CLASS),
        ".",
        symbol="alert",
        role="status",
    )


def _us_state(row: rx.Var[StateRow]) -> rx.Component:
    return panel(
        rx.el.p(row.refusal, class_name="px-5 pb-2.5 text-small font-strong text-bad empty:hidden"),
        rx.el.ul(rx.foreach(row.versions, _version), class_name=LIST, aria_label=f"Rules of {row.name}"),
        title=rx.el.span(row.name, class_name="block px-5 pt-4 pb-2.5"),
        key=row.name,
    )


def _version(row: rx.Var[RulesVersionRow]) -> rx.Component:
    is_open = AdminRulesState.opened == row.id
    words = rx.el.span(
        rx.el.span(
            rx.el.span(row.name, class_name="text-small font-semibold"),
            badge(row.status, row.hue),
            class_name=f"flex flex-wrap items-center gap-x-3 gap-y-1 {_WRAPS}",
        ),
        rx.el.span(row.about, class_name="text-cap text-ink-2 wrap-anywhere"),
        class_name="grid min-w-0 flex-1 gap-0.5",
    )
    head = rx.el.button(
        words,
        rx.el.span(icon("chevron-down"), class_name=["flex-none text-ink-2", rx.cond(is_open, "rotate-180", "")]),
        type="button",
        aria_expanded=rx.cond(is_open, "true", "false"),
        on_click=AdminRulesState.toggle(row.id),
        class_name=(
            "flex min-h-14 w-full items-center gap-3 px-5 py-2.5 text-left hover:bg-row-hover "
            "focus-visible:-outline-offset-2"
        ),
    )
    return rx.el.li(head, rx.cond(is_open, _opened(row)), key=row.id)


def _opened(row: rx.Var[RulesVersionRow]) -> rx.Component:
    state = AdminRulesState
    remarks = rx.foreach(state.remarks, lambda text: rx.el.p(text, key=text, class_name="text-amber-text"))
    review = rx.cond(row.is_draft, button("Mark as Reviewed", size="sm", on_click=state.ask_to_review))
    copy = button("New Version", variant="outline", size="sm", on_click=AdminRuleCopyState.open_copy(row.id))
    return rx.el.div(
        rx.el.dl(
            rx.foreach(state.lines, lambda line: _line(line, row)), class_name="grid divide-y divide-line text-small"
        ),
        rx.el.div(remarks, class_name="grid gap-1 text-small font-strong empty:hidden"),
        rx.el.p("Not legal advice.", class_name="text-cap text-ink-3"),
        rx.cond(_MAY_EDIT, rx.el.div(review, copy, class_name="flex flex-wrap gap-2.5")),
        rx.el.p(state.missing, role="alert", class_name="text-small font-strong text-bad empty:hidden"),
        id=OPENED_ID,
        tab_index=-1,
        role="group",
        aria_label=row.name,
        class_name="grid gap-3 border-t border-line bg-sunken px-5 py-4 outline-none",
    )


def _line(line: rx.Var[LineRow], row: rx.Var[RulesVersionRow]) -> rx.Component:
    """The values of a line; as radio buttons where an owner may still choose one of several."""
    plain = rx.foreach(line.options, lambda option: _value(option, line.has_alternatives))
    choice = rx.el.div(
        rx.foreach(line.options, lambda option: _choice(line, option)),
        field_error(line.error, f"{line.path}-error"),
        role="radiogroup",
        aria_label=line.label,
        aria_describedby=f"{line.path}-error",
        class_name="grid gap-1",
    )
    term = rx.el.dt(
        rx.el.span(line.label, class_name="font-semibold"),
        rx.el.span(line.note, class_name="block text-cap text-ink-3 wrap-anywhere empty:hidden"),
        class_name="min-w-0",
    )
    chooses = line.has_alternatives & row.is_draft & _MAY_EDIT
    return rx.el.div(
        term,
        rx.el.dd(rx.cond(chooses, choice, rx.el.div(plain, class_name="grid gap-1.5")), class_name="min-w-0"),
        key=line.path,
        class_name="grid gap-x-6 gap-y-1 py-2.5 md:grid-cols-[16rem_minmax(0,1fr)]",
    )


def _words(option: rx.Var[OptionRow], *beside: rx.Component) -> rx.Component:
    return rx.fragment(
        rx.el.span(
            rx.el.span(option.text, class_name="tabular-nums"),
            *beside,
            class_name="flex flex-wrap items-center gap-x-3 gap-y-1 text-small",
        ),
        rx.el.span(option.source, class_name="block text-cap text-ink-3 wrap-anywhere"),
    )


def _value(option: rx.Var[OptionRow], is_one_of_several: rx.Var[bool]) -> rx.Component:
    chosen = rx.cond(is_one_of_several & option.is_chosen, badge("Chosen"))
    return rx.el.div(_words(option, chosen), key=option.number, class_name="min-w-0")


def _choice(line: rx.Var[LineRow], option: rx.Var[OptionRow]) -> rx.Component:
    return radio(
        _words(option),
        f"{line.path}-{option.number}",
        line.path,
        option.is_chosen,
        AdminRulesState.choose(line.path, option.number),
    )


def _review_dialog() -> rx.Component:
    state = AdminRulesState
    remarks = rx.foreach(state.remarks, lambda text: rx.el.span(text, key=text, class_name="block text-amber-text"))
    sentence = rx.el.span(
        rx.el.span(state.confirmation, class_name="block"),
        remarks,
        rx.el.span("A review cannot be taken back. Any later change needs a new version.", class_name="block"),
        class_name="grid gap-2",
    )
    return confirmation_dialog(
        "Mark as reviewed?",
        sentence,
        "Cancel",
        button("Mark as Reviewed", on_click=state.review),
        open=state.dialog == "review",
        on_open_change=state.set_open,
    )
