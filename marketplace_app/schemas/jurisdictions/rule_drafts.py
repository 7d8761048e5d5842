"""Drafts of rules as REST shows them, and what `/admin/rules` sends."""

from datetime import date
from typing import Annotated, Any, Self

from pydantic import Field

from marketplace_app.schemas.base import CalendarDay, Form, RowId, View
from marketplace_app.schemas.jurisdictions.jurisdictions import VersionForm


class DraftView(View):
    """A draft that ships with the store, as `POST /api/admin/rules` takes it."""

    state: str = Field(examples=["OR"])
    valid_from: date
    checked_on: date
    source: str = Field(examples=["OAR 845-025-2880"])
    rules: dict[str, Any] = Field(examples=[VersionForm.EXAMPLE["rules"]])

    @classmethod
    def of_form(cls, form: VersionForm) -> Self:
        return cls(
            state=form.state,
            valid_from=form.valid_from,
            checked_on=form.checked_on,
            source=form.source,
            rules=form.rules.wire(),
        )


class VersionRef(Form):
    """The id of a version of rules, as a page or the command line sends it."""

    id: RowId


class ChosenOption(Form):
    """The value that an owner chose for a line whose sources disagree.

    `line` is its path, such as `taxes.excise.rate`; `option` counts from 0.
    """

    line: Annotated[str, Field(max_length=100)]
    option: Annotated[int, Field(ge=0, le=9)]


class DraftForm(Form):
    """Which state's draft to add, of those that ship with the store, and from when it is to count."""

    state: Annotated[str, Field(max_length=60)]
    valid_from: CalendarDay
