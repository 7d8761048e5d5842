"""The audit trail: filters, entries in words, and the check of its hash chain."""

import reflex as rx

from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.admin.table import (
    TOOLBAR_CONTROL,
    Column,
    cell,
    clear_button,
    data_table,
    day_box,
    search_box,
    table_footer,
    table_row,
    table_states,
    toolbar,
)
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.notices import empty_state
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.audit import NO_ACTOR
from marketplace_app.services.admin.audit_sentences import ACTIONS
from marketplace_app.states.admin.audit import AdminAuditState, EntryRow

COLUMNS = (Column("When"), Column("Who"), Column("What"))
_ACTIONS = sorted(((action, name) for action, (name, _, _) in ACTIONS.items()), key=lambda each: each[1])


def _select(label: str, control: str, value: rx.Var[str], *options: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.select(
            *options,
            value=value,
            on_change=lambda chosen: AdminAuditState.choose(control, chosen),
            aria_label=label,
            name=control,
            class_name=f"{TOOLBAR_CONTROL} w-full appearance-none pr-9",
        ),
        icon("chevron-down", "sm", "pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-ink-2"),
        class_name="relative max-w-full",
    )


def _toolbar() -> rx.Component:
    everybody = rx.el.option("Everybody", value="")
    store = rx.el.option("The store", value=str(NO_ACTOR))
    actors = rx.foreach(AdminAuditState.actors, lambda each: rx.el.option(each.label, value=each.value, key=each.value))
    acts = [rx.el.option(name, value=action) for action, name in _ACTIONS]
    return toolbar(
        search_box(
            "audit-search",
            "Subject",
            "order:1036, user:12",
            AdminAuditState.subject,
            AdminAuditState.search,
        ),
        _select("Who", "actor", AdminAuditState.actor, everybody, store, actors),
        _select("What", "action", AdminAuditState.act, rx.el.option("Everything", value=""), *acts),
        day_box("dayFrom", "From", AdminAuditState.day_from, lambda day: AdminAuditState.choose("dayFrom", day)),
        day_box("dayTo", "To", AdminAuditState.day_to, lambda day: AdminAuditState.choose("dayTo", day)),
        rx.cond(AdminAuditState.is_filtered, clear_button(AdminAuditState.clear)),
        count_label=AdminAuditState.count_label,
    )


def _details(entry: rx.Var[EntryRow]) -> rx.Component:
    def fact(name: str, value: rx.Var[str]) -> rx.Component:
        return rx.fragment(
            rx.el.dt(name, class_name="text-ink-3"),
            rx.el.dd(value, class_name="min-w-0 wrap-anywhere whitespace-pre-wrap"),
        )

    return rx.el.details(
        rx.el.summary(
            "Details",
            aria_label=f"Details of entry {entry.id}",
            class_name="w-fit cursor-pointer rounded-1 py-0.5 text-cap text-ink-3 hover:text-ink",
        ),
        rx.el.dl(
            fact("Entry", entry.id),
            fact("Kind", entry.action),
            fact("Subject", entry.subject),
            rx.cond(entry.details != "", fact("Details", entry.details)),
            fact("Seal", entry.hash),
            class_name="mt-1 grid max-w-160 grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-cap",
        ),
        class_name="mt-0.5",
    )


def _row(entry: rx.Var[EntryRow]) -> rx.Component:
    predicate = rx.cond(
        entry.href != "",
        link(entry.predicate, href=entry.href, class_name="hover:underline"),
        rx.el.span(entry.predicate),
    )
    return table_row(
        cell(
            entry.when, narrow="third", class_name="align-top whitespace-nowrap text-ink-3 tabular-nums max-md:text-cap"
        ),
        cell(
            entry.who,
            narrow="first",
            class_name="align-top font-semibold wrap-anywhere max-md:col-span-2 md:min-w-44 xl:min-w-72",
        ),
        cell(
            predicate, _details(entry), narrow="second", class_name="w-full align-top wrap-anywhere max-md:col-span-2"
        ),
        key=entry.id,
    )


def _chain() -> rx.Component:
    symbol = rx.match(
        AdminAuditState.chain,
        ("whole", icon("check", "sm", "text-ok")),
        ("broken", icon("alert", "sm", "text-bad")),
        rx.fragment(),
    )
    return rx.el.p(
        symbol,
        AdminAuditState.chain_text,
        role="status",
        class_name=[
            "flex items-center gap-1.5 text-small tabular-nums empty:hidden",
            rx.cond(AdminAuditState.chain == "broken", "font-semibold text-bad", "text-ink-2"),
        ],
    )


def _trail() -> rx.Component:
    table = data_table("Audit trail", COLUMNS, AdminAuditState.entries, _row)
    return panel(
        _toolbar(),
        table_states(
            AdminAuditState.is_loading,
            AdminAuditState.entries.length(),
            table,
            nothing="No entries match.",
            symbol="list",
        ),
        table_footer(AdminAuditState.range_label, AdminAuditState.page, AdminAuditState.pages, AdminAuditState.go_to),
    )


def audit() -> rx.Component:
    verify = pending_button(
        "Verify Chain",
        "Verifying...",
        AdminAuditState.chain == "checking",
        variant="outline",
        size="sm",
        on_click=AdminAuditState.verify,
    )
    return rx.cond(
        may(Permission.SEE_AUDIT),
        rx.fragment(
            heading("Audit", verify, below="Everything staff did, in order. It cannot be changed."),
            _chain(),
            _trail(),
        ),
        rx.fragment(
            heading("Audit"),
            panel(
                empty_state("ban", "Your role is not allowed to see the audit trail. Ask an owner."), class_name="px-5"
            ),
        ),
    )
