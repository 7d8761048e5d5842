"""Synonyms, editable in their rows, and beside them the searches that found nothing."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.admin.table import Column, cell, data_table, row_button, table_row, table_states
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.fields import form_key_field, text_field
from marketplace_app.limits import MAX_SYNONYM_LENGTH, SEARCH_MISS_DAYS
from marketplace_app.models import Permission
from marketplace_app.states.admin.searches import AdminSearchState, MissRow, SynonymRow

TERM, REPLACEMENT = "Search for", "Also finds"
SYNONYM_COLUMNS = (Column(TERM), Column(REPLACEMENT), Column(""))
MISS_COLUMNS = (Column("Searched"), Column("Times", is_number=True), Column("Last on"), Column(""))
_FORM = "grid items-start gap-x-3 gap-y-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
_BESIDE_FIELDS = "flex gap-2 sm:pt-6.75"
_SCROLLED = "scrollbar-thin max-h-[34rem] overflow-y-auto focus-visible:-outline-offset-2"


def searches() -> rx.Component:
    return rx.fragment(
        heading("Search", below="Words your customers use, and searches that found nothing."),
        rx.el.div(
            _synonyms(),
            _misses(),
            class_name="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]",
        ),
    )


def _field(label: str, name: str, key: str, errors: rx.vars.ObjectVar[dict[str, str]], **props: Any) -> rx.Component:
    return text_field(label, name, errors[key], max_length=MAX_SYNONYM_LENGTH, auto_complete="off", **props)


def _synonyms() -> rx.Component:
    table = rx.el.div(
        data_table("Synonyms", SYNONYM_COLUMNS, AdminSearchState.synonyms, _synonym_row),
        tab_index=0,
        role="region",
        aria_label="List of synonyms",
        class_name=_SCROLLED,
    )
    return panel(
        rx.cond(may(Permission.EDIT_PRODUCTS), _add_form()),
        _undo_bar(),
        rx.el.div(
            table_states(
                AdminSearchState.is_loading,
                AdminSearchState.synonyms.length(),
                table,
                nothing="No synonyms yet.",
                symbol="search",
            ),
            class_name="border-t border-line",
        ),
        title=rx.el.span("Synonyms", class_name="block px-5 pt-4"),
        aside=rx.el.p(
            AdminSearchState.count_label, role="status", class_name="px-5 pt-4 text-cap text-ink-3 tabular-nums"
        ),
    )


def _add_form() -> rx.Component:
    return rx.el.form(
        _field(TERM, "term", "term", AdminSearchState.errors, default_value=AdminSearchState.term, placeholder="joint"),
        _field(
            REPLACEMENT,
            "replacement",
            "replacement",
            AdminSearchState.errors,
            placeholder="pre-roll",
            auto_focus=AdminSearchState.term != "",
        ),
        rx.el.div(
            pending_button(
                "Add Synonym", "Adding...", AdminSearchState.is_adding, variant="outline", size="sm", type="submit"
            ),
            class_name=_BESIDE_FIELDS,
        ),
        form_key_field(AdminSearchState.form_key),
        on_submit=AdminSearchState.add,
        no_validate=True,
        key=f"form-{AdminSearchState.form_key}",
        aria_label="Add a synonym",
        class_name=f"px-5 pt-2.5 pb-4 {_FORM}",
    )


def _undo_bar() -> rx.Component:
    removed = AdminSearchState.removed
    return rx.el.div(
        rx.cond(
            removed.id > 0,
            rx.el.p(
                rx.el.span(f"Removed: {removed.term} → {removed.replacement}", class_name="min-w-0 wrap-anywhere"),
                button(
                    "Undo",
                    variant="outline",
                    size="sm",
                    on_click=AdminSearchState.undo,
                    auto_focus=True,
                    key=f"undo-{removed.id}",
                ),
                class_name="flex flex-wrap items-center justify-between gap-2 border-t border-line px-5 py-2.5",
            ),
        ),
        aria_live="polite",
        class_name="bg-wash",
    )


def _synonym_row(row: rx.Var[SynonymRow]) -> rx.Component:
    return rx.cond(AdminSearchState.edited.id == row.id, _edited_row(row), _plain_row(row))


def _plain_row(row: rx.Var[SynonymRow]) -> rx.Component:
    pair = f"{row.term} → {row.replacement}"
    actions = rx.cond(
        may(Permission.EDIT_PRODUCTS),
        rx.el.span(
            row_button(
                "pen",
                f"Edit {pair}",
                on_click=AdminSearchState.edit(row.id),
                auto_focus=AdminSearchState.last_edited == row.id,
            ),
            row_button("bin", f"Remove {pair}", on_click=AdminSearchState.remove(row.id)),
            class_name="inline-flex flex-none",
        ),
    )
    return table_row(
        cell(row.term, narrow="first", class_name="font-semibold wrap-anywhere"),
        cell(row.replacement, narrow="second", class_name="wrap-anywhere"),
        cell(actions, narrow="figure", class_name="md:w-px text-right whitespace-nowrap max-md:row-span-2"),
        key=row.id,
    )


def _edited_row(row: rx.Var[SynonymRow]) -> rx.Component:
    errors = AdminSearchState.edit_errors
    form = rx.el.form(
        _field(TERM, "edit_term", "term", errors, default_value=AdminSearchState.edited.term, auto_focus=True),
        _field(
            REPLACEMENT, "edit_replacement", "replacement", errors, default_value=AdminSearchState.edited.replacement
        ),
        rx.el.div(
            pending_button("Save", "Saving...", AdminSearchState.is_saving, size="sm", type="submit"),
            button("Cancel", variant="outline", size="sm", on_click=AdminSearchState.cancel_edit),
            class_name=_BESIDE_FIELDS,
        ),
        on_submit=AdminSearchState.save,
        no_validate=True,
        aria_label="Change the synonym",
        class_name=_FORM,
    )
    return table_row(
        cell(form, narrow="second", class_name="bg-sunken py-3 max-md:col-span-3 max-md:col-start-1", col_span=3),
        key=row.id,
    )


def _misses() -> rx.Component:
    table = rx.el.div(
        data_table("Searches that found nothing", MISS_COLUMNS, AdminSearchState.misses, _miss_row),
        tab_index=0,
        role="region",
        aria_label="List of searches that found nothing",
        class_name=_SCROLLED,
    )
    return panel(
        rx.el.p(
            f"In the last {SEARCH_MISS_DAYS} days. Words appear here once they have found nothing on two different "
            "days. Who searched is not recorded.",
            class_name="px-5 pt-1 pb-3 text-cap text-ink-3",
        ),
        rx.el.div(
            table_states(
                AdminSearchState.is_loading,
                AdminSearchState.misses.length(),
                table,
                nothing="Nothing so far.",
                symbol="search",
            ),
            class_name="border-t border-line",
        ),
        title=rx.el.span("Not found", class_name="block px-5 pt-4"),
    )


def _miss_row(row: rx.Var[MissRow]) -> rx.Component:
    add = rx.cond(
        may(Permission.EDIT_PRODUCTS),
        row_button("plus", f"Add a synonym for {row.words}", on_click=AdminSearchState.prefill(row.words)),
    )
    return table_row(
        cell(row.words, narrow="first", class_name="font-semibold md:w-full wrap-anywhere"),
        cell(row.times, narrow="third", is_number=True, class_name="max-md:hidden"),
        cell(row.last, narrow="second", class_name="whitespace-nowrap text-ink-2"),
        cell(add, narrow="figure", class_name="md:w-px text-right max-md:row-span-2"),
        key=row.words,
    )
