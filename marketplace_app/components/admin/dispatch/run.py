"""`/admin/runs/[run_id]`: a run with its stops, and the dialog in which staff enter what a driver wrote on paper."""

import reflex as rx

from marketplace_app.components.admin.dispatch.dispatch_cards import card_item, order_card, outcome_line, place_badge
from marketplace_app.components.admin.list_panels import form_dialog
from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.buttons import button, button_class, button_link
from marketplace_app.components.controls.fields import (
    checkbox_field,
    labelled_select,
    select_field,
    text_field,
)
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import document_link, download_link
from marketplace_app.models import Permission
from marketplace_app.states.admin.dispatch.run import AdminRunState, ReportRow, RunStopRow
from marketplace_app.states.admin.dispatch.run_paper import REASONS, STOPS_ID, AdminPaperState

_MAY_PLAN = may(Permission.PLAN_RUNS)
TIME_HINT = "As on the paper, such as 17:42. A time after midnight is the next day's. May be empty."


def run() -> rx.Component:
    state = AdminRunState
    title = rx.el.span(
        state.title,
        rx.el.span(status_badge(state.status, state.status_hue), class_name="font-sans"),
        class_name="flex flex-wrap items-center gap-3",
    )
    listed = rx.el.ol(
        rx.foreach(state.stops, _stop), aria_label="Stops", class_name="grid divide-y divide-line border-t border-line"
    )
    drive = document_link(icon("truck", "sm"), "Drive", href="/drive", class_name=button_class("outline", "sm"))
    none = rx.el.p("No stops.", class_name="border-t border-line px-3 py-4 text-small text-ink-3")
    return rx.fragment(
        heading(title, rx.cond(state.is_driving, drive), rx.cond(_MAY_PLAN, _actions()), below=state.facts),
        rx.cond(state.times != "", rx.el.p(state.times, class_name="text-small text-ink-2 tabular-nums")),
        panel(
            rx.cond(state.stops.length() > 0, listed, none),
            title=rx.el.span("Stops", class_name="block px-3 pt-3.5 pb-2.5"),
            id=STOPS_ID,
            tab_index=-1,
            aria_label="Stops",
            class_name="max-w-180 outline-none",
        ),
        rx.cond(_MAY_PLAN, paper_dialog()),
    )


def _actions() -> rx.Component:
    state = AdminRunState
    labels = download_link(
        "Labels", rx.Var.create(f"/api/admin/runs/{state.id}/labels.pdf"), button_class("outline", "sm")
    )
    paper = button("Enter from Paper", size="sm", on_click=AdminPaperState.begin)
    return rx.fragment(
        button_link(
            icon("printer", "sm"),
            "Sheet",
            href=rx.Var.create(f"/admin/runs/{state.id}/sheet"),
            variant="outline",
            size="sm",
        ),
        download_link("PDF", rx.Var.create(f"/api/admin/runs/{state.id}/sheet.pdf"), button_class("outline", "sm")),
        rx.cond(state.has_labels, labels),
        rx.cond(state.open_count > 0, paper),
    )


def _stop(stop: rx.Var[RunStopRow]) -> rx.Component:
    reports = rx.el.ol(
        rx.foreach(stop.reports, _report),
        aria_label=rx.Var.create(f"Reports of order {stop.card.number}"),
        class_name="mt-1 grid gap-1 border-l-2 border-line pl-3",
    )
    below = rx.fragment(outcome_line(stop.outcome, stop.is_delivered), rx.cond(stop.reports.length() > 0, reports))
    return card_item(order_card(stop.card, start=place_badge(stop.place), below=below), key=stop.id)


def _report(report: rx.Var[ReportRow]) -> rx.Component:
    return rx.el.li(
        rx.el.span(report.text, class_name="wrap-anywhere"),
        rx.el.span(report.facts, class_name="text-ink-2 tabular-nums wrap-anywhere"),
        key=report.id,
        class_name="grid text-cap",
    )


def paper_dialog() -> rx.Component:
    state = AdminPaperState
    outcome = labelled_select(
        "What happened",
        "outcome",
        rx.el.option("Delivered", value="delivered"),
        rx.el.option("Couldn't deliver", value="failed"),
        error=state.errors["outcome"],
        default_value="delivered",
        on_change=state.choose,
    )
    return form_dialog(
        "From paper",
        state.title,
        rx.el.p(state.subtitle, class_name="text-small text-ink-2 wrap-anywhere"),
        rx.cond(state.reported != "", rx.el.p(state.reported, class_name="text-small font-semibold")),
        outcome,
        rx.cond(state.outcome == "failed", _failed(), _delivered()),
        text_field("Time", "at", state.errors["at"], hint=TIME_HINT),
        rx.el.div(button("Skip This Stop", variant="ghost", size="sm", on_click=state.skip(state.form_key))),
        submit_label="Save and Next",
        is_saving=state.is_saving,
        form_key=state.form_key,
        on_submit=state.save,
        open=state.is_open & (state.run_id == AdminRunState.id),
        on_open_change=state.set_open,
    )


def _delivered() -> rx.Component:
    """The fields for what the driver's phone has not reported already."""
    state = AdminPaperState
    pin = text_field(
        "PIN",
        "pin",
        state.errors["pin"],
        hint="Empty if none is on the paper.",
        input_mode="numeric",
        auto_complete="off",
    )
    cash = text_field("Cash counted, $", "counted", state.errors["counted"], input_mode="decimal", auto_complete="off")
    credit = checkbox_field(
        "The customer gets the change as store credit", "change_as_credit", state.errors["keepChange"]
    )
    id_checked = checkbox_field("All three ID boxes are ticked", "id_checked", state.errors["idChecked"])
    return rx.fragment(
        rx.cond(state.asks_id, id_checked),
        rx.el.div(rx.cond(state.asks_pin, pin), rx.cond(state.asks_cash, cash), class_name="grid grid-cols-2 gap-3"),
        rx.cond(state.asks_cash & state.offers_credit, credit),
    )


def _failed() -> rx.Component:
    state = AdminPaperState
    return rx.fragment(
        select_field("Why", "reason", REASONS, state.errors["reason"]),
        text_field("Note", "note", state.errors["note"], auto_complete="off"),
    )
