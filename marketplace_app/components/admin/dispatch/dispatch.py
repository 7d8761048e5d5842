"""`/admin/dispatch`: the board with its four columns, and the bar that plans the selected orders."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.dispatch.dispatch_cards import (
    card_item,
    move_button,
    order_card,
    outcome_line,
    place_badge,
    select_checkbox,
)
from marketplace_app.components.admin.dispatch.dispatch_dialogs import dispatch_dialogs
from marketplace_app.components.admin.shell import heading, may
from marketplace_app.components.admin.table import row_button
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.fields import unlabelled_select
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.models import Permission
from marketplace_app.states.admin.dispatch.dispatch import (
    OUT_ID,
    PLANNED_ID,
    PROBLEMS_ID,
    UNPLANNED_ID,
    AdminDispatchState,
)
from marketplace_app.states.admin.dispatch.dispatch_form import AdminRunFormState
from marketplace_app.states.admin.dispatch.dispatch_questions import AdminDispatchQuestionState
from marketplace_app.states.admin.dispatch.dispatch_release import AdminReleaseState
from marketplace_app.states.admin.dispatch.dispatch_rows import CardRow, ProblemRow, RunRow, StopRow

_MAY_PLAN = may(Permission.PLAN_RUNS)
_NO_RUNS = rx.fragment(
    "No run is planned.", rx.cond(_MAY_PLAN, rx.fragment(" Select orders, then plan a run with them."))
)
_FOCUS_NEXT = rx.Var("""(event) => {
  const stop = event.currentTarget.closest("li");
  const next = stop.nextElementSibling ?? stop.previousElementSibling;
  next?.querySelector("button:last-of-type")?.focus();
}""")
"""Before the button disappears with its stop, moves the focus to the same button of the next stop or, after
the last one, of the stop before."""
_LIST = "grid grid-cols-1 divide-y divide-line"
_SCROLLS = "scrollbar-thin md:max-h-[calc(100svh-11rem)] md:overflow-y-auto"
"""Where columns are side by side, each of them scrolls by itself: on a wide screen, all four stay in sight."""


def dispatch() -> rx.Component:
    state = AdminDispatchState
    columns = (
        (UNPLANNED_ID, "Unplanned", state.unplanned, _unplanned_order, "All orders are planned."),
        (PLANNED_ID, "Planned", state.planned, _planned_run, _NO_RUNS),
        (OUT_ID, "Out", state.out, _departed_run, "Nobody is out."),
        (PROBLEMS_ID, "Problems", state.problems, _problem, "No problems."),
    )
    add = button(icon("plus", "sm"), "New Run", size="sm", on_click=AdminRunFormState.open_new)
    return rx.el.div(
        heading("Dispatch", rx.cond(_MAY_PLAN, add), below="Who delivers what, and what waits for you."),
        _column_links([(id, name, rows) for id, name, rows, _, _ in columns]),
        rx.cond(_MAY_PLAN, _plan_bar()),
        rx.el.div(
            *[_column(*each) for each in columns],
            class_name="grid grid-cols-1 items-start gap-3 md:grid-cols-2 xl:grid-cols-4",
        ),
        rx.el.p(state.announcement, role="status", class_name="sr-only"),
        rx.cond(_MAY_PLAN, dispatch_dialogs()),
        class_name="relative flex min-w-0 flex-col gap-4",
    )


def _column_links(columns: list[tuple[str, str, Any]]) -> rx.Component:
    """For phones, where the columns are stacked: the links stay in sight while the page scrolls."""
    links = [
        rx.el.a(
            name,
            rx.el.span(rows.length(), class_name="tabular-nums"),
            href=f"#{id}",
            class_name="inline-flex min-h-11 flex-none items-center gap-1 rounded-2 border border-line px-2 text-small",
        )
        for id, name, rows in columns
    ]
    return rx.el.nav(
        *links,
        aria_label="Columns",
        class_name=(
            "sticky top-14 z-(--z-sticky) scrollbar-none -mx-4 flex gap-1.5 overflow-x-auto bg-paper px-4 "
            "py-1.5 md:hidden"
        ),
    )


def _column(id: str, title: str, rows: Any, item: Any, nothing: Any) -> rx.Component:
    count = rx.el.span(rows.length(), class_name="text-cap font-normal text-ink-3 tabular-nums")
    listed = rx.el.ul(rx.foreach(rows, item), aria_label=title, class_name=_LIST)
    none = rx.el.p(nothing, class_name="px-3 py-4 text-small text-ink-3")
    return rx.el.section(
        rx.el.h2(
            title,
            count,
            class_name="flex items-baseline gap-2 border-b border-line px-3 py-2.5 font-sans text-ui font-semibold",
        ),
        rx.cond(
            AdminDispatchState.is_loading,
            rx.el.div(*[skeleton_block("m-3 h-20 rounded-2") for _ in range(3)], aria_hidden="true"),
            rx.el.div(rx.cond(rows.length() > 0, listed, none), class_name=_SCROLLS),
        ),
        id=id,
        tab_index=-1,
        aria_label=title,
        class_name="min-w-0 scroll-mt-32 overflow-hidden rounded-2 border border-line bg-surface outline-none",
    )


def _plan_bar() -> rx.Component:
    """Puts selected orders on a run. It is at the foot of the screen, so that no card moves when it appears."""
    state = AdminDispatchState
    choices = rx.foreach(state.planned, lambda run: rx.el.option(run.title, value=run.id.to_string()))
    run_select = unlabelled_select(
        rx.el.option("Put on a run…", value=""),
        choices,
        aria_label="Put the selected orders on",
        value="",
        on_change=state.put_on,
    )
    bar = rx.el.div(
        rx.el.p(state.selected.length(), " selected", role="status", class_name="px-1 font-semibold tabular-nums"),
        button("Plan New Run", size="sm", on_click=AdminRunFormState.open_new),
        rx.cond(state.planned.length() > 0, rx.el.div(run_select, class_name="w-52")),
        button("Deselect", variant="ghost", size="sm", on_click=state.deselect),
        class_name=(
            "sticky bottom-3 z-(--z-header) order-last flex flex-wrap items-center gap-2 rounded-2 border border-line "
            "bg-wash p-2.5 shadow-float"
        ),
    )
    return rx.cond(state.selected.length() > 0, bar)


def _checkbox(card: rx.Var[CardRow]) -> rx.Component:
    state = AdminDispatchState
    return rx.cond(_MAY_PLAN, select_checkbox(card, state.selected.contains(card.id), state.toggle(card.id)))


def _unplanned_order(card: rx.Var[CardRow]) -> rx.Component:
    return card_item(order_card(card, start=_checkbox(card)), key=card.id)


def _planned_run(run: rx.Var[RunRow]) -> rx.Component:
    questions = AdminDispatchQuestionState
    suggest = button("Suggest a Sequence", variant="ghost", size="sm", on_click=questions.suggest(run.id))
    actions = rx.el.div(
        button("Depart", variant="outline", size="sm", on_click=questions.ask_to_depart(run.id)),
        rx.cond(run.stops.length() > 1, suggest),
        class_name="flex flex-wrap items-center gap-x-1 gap-y-2 px-3 pb-2.5",
    )
    edits = rx.el.span(
        row_button("pen", f"Edit {run.title}", on_click=AdminRunFormState.edit(run.id)),
        row_button("bin", f"Remove {run.title}", on_click=questions.ask_to_discard(run.id)),
        class_name="-my-1.5 -mr-2 inline-flex flex-none",
    )
    return _run(run, rx.cond(_MAY_PLAN, actions), _planned_stop, rx.cond(_MAY_PLAN, edits))


def _departed_run(run: rx.Var[RunRow]) -> rx.Component:
    close = button("Close Run", variant="outline", size="sm", on_click=AdminDispatchState.close(run.id))
    return _run(run, rx.cond(_MAY_PLAN & run.can_close, rx.el.div(close, class_name="px-3 pb-2.5")), _departed_stop)


def _run(run: rx.Var[RunRow], actions: rx.Component, stop_item: Any, edits: Any = None) -> rx.Component:
    title = rx.el.div(
        rx.el.h3(
            link(run.title, href=run.href, class_name="hover:underline"),
            class_name="font-sans text-small font-semibold wrap-anywhere",
        ),
        *([edits] if edits is not None else []),
        class_name="flex items-start justify-between gap-2",
    )
    return rx.el.li(
        rx.el.div(
            title,
            rx.el.p(run.facts, class_name="text-cap text-ink-2 tabular-nums wrap-anywhere"),
            class_name="px-3 py-2.5",
        ),
        actions,
        rx.el.ol(rx.foreach(run.stops, stop_item), aria_label=f"Stops of {run.title}", class_name=f"{_LIST} bg-paper"),
        key=run.id,
    )


def _move_buttons(stop: rx.Var[StopRow], *more: rx.Component) -> rx.Component:
    state, number = AdminDispatchState, stop.card.number
    buttons = rx.el.span(
        move_button(
            "chevron-up",
            f"Move order {number} earlier",
            f"earlier-{stop.id}",
            stop.is_first,
            state.move(stop.run_id, stop.id, -1),
        ),
        move_button(
            "chevron-down",
            f"Move order {number} later",
            f"later-{stop.id}",
            stop.is_last,
            state.move(stop.run_id, stop.id, 1),
        ),
        *more,
        class_name="-mr-2 flex flex-none",
    )
    return rx.cond(_MAY_PLAN & (stop.outcome == ""), buttons)


def _planned_stop(stop: rx.Var[StopRow]) -> rx.Component:
    off = row_button(
        "minus",
        f"Take order {stop.card.number} off the run",
        custom_attrs={"onClickCapture": _FOCUS_NEXT},
        on_click=AdminDispatchState.take_off(stop.run_id, stop.id),
    )
    start = rx.fragment(_checkbox(stop.card), place_badge(stop.place))
    return card_item(order_card(stop.card, start=start, end=_move_buttons(stop, off)), key=stop.id)


def _departed_stop(stop: rx.Var[StopRow]) -> rx.Component:
    ended = outcome_line(stop.outcome, stop.is_delivered)
    return card_item(
        order_card(stop.card, start=place_badge(stop.place), end=_move_buttons(stop), below=ended), key=stop.id
    )


def _problem(problem: rx.Var[ProblemRow]) -> rx.Component:
    again = button(
        "Plan Again",
        variant="outline",
        size="sm",
        on_click=AdminRunFormState.plan_again(problem.card.id),
    )
    release = button(
        "Release",
        variant="outline",
        size="sm",
        on_click=AdminReleaseState.ask(problem.run_id, problem.stop_id, problem.card.number),
    )
    open_order = link(
        "Open Order",
        href=problem.card.href,
        class_name="inline-flex min-h-11 items-center font-semibold text-brand-text hover:underline md:min-h-9",
    )
    below = rx.fragment(
        rx.el.p(icon("alert", "sm", "mt-px flex-none"), problem.message, class_name="flex gap-1.5 text-cap text-bad"),
        rx.el.div(
            rx.cond(_MAY_PLAN & problem.can_plan, again),
            rx.cond(_MAY_PLAN & problem.needs_release, release),
            open_order,
            class_name="flex flex-wrap items-center gap-3",
        ),
    )
    start = rx.cond(problem.can_plan, _checkbox(problem.card))
    return card_item(order_card(problem.card, start=start, below=below), key=problem.stop_id)
