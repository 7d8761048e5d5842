"""Inviting many at once from a CSV file: all of its lines, or none of them."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

from sqlmodel import Session

from marketplace_app.adapters import live
from marketplace_app.errors import InvalidInput
from marketplace_app.limits import MAX_INVITATION_LINES
from marketplace_app.models import Permission, User
from marketplace_app.schemas.account.invitations import InvitationForm, InvitationImportReport
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.line_errors import LineError
from marketplace_app.services.account import invitations
from marketplace_app.services.accounts import require
from marketplace_app.services.records import announcements, audit_log, counters
from marketplace_app.spreadsheets import FORMULA_MESSAGE, is_formula, unescaped

COLUMNS = ("email", "firstName", "lastName", "notes")
_BY_NAME = {name.lower(): name for name in COLUMNS}
HEADER_MESSAGE = f"The first line must name the columns: {', '.join(COLUMNS)}. Only email is required."


class UnreadableFile(InvalidInput):
    code = "unreadable_file"

    def __init__(self, sentence: str) -> None:
        super().__init__({"file": sentence})


@dataclass(frozen=True)
class FileLine:
    number: int
    """The line in the file; the header is line 1."""
    cells: Mapping[str, str]
    has_extra_cells: bool
    """Whether it has more cells than the header."""


def import_file(
    session: Session, actor: User | None, content: bytes, *, dry_run: bool = False
) -> InvitationImportReport:
    """Invite everybody in the file, or report the errors by line. A dry run writes nothing. Raises UnreadableFile."""
    staff = require(actor, Permission.SEND_INVITATIONS)
    lines = list(_read(content))
    forms, errors = _check(lines)
    counters.lock(session, counters.INVITATIONS)
    refused = invitations.refusals(session, [form.email for _, form in forms])
    errors += [
        LineError(number, "email", refused[form.email].message) for number, form in forms if form.email in refused
    ]
    if errors or dry_run:
        return InvitationImportReport(
            lines=len(lines), sent=(), errors=tuple(sorted(errors, key=lambda error: error.line))
        )
    sent = tuple(invitations.create_and_queue_mail(session, staff, form) for _, form in forms)
    audit_log.append(session, staff, "invitation.imported", "invitations", ids=[each.id for each in sent])
    announcements.publish(session, live.STAFF)
    return InvitationImportReport(lines=len(lines), sent=sent, errors=())


def _check(lines: list[FileLine]) -> tuple[list[tuple[int, InvitationForm]], list[LineError]]:
    """The valid lines, and the errors of the others."""
    forms: list[tuple[int, InvitationForm]] = []
    errors: list[LineError] = []
    first_line_of: dict[str, int] = {}
    for line in lines:
        try:
            form = _form(line)
        except InvalidInput as error:
            errors += [LineError(line.number, name, sentence) for name, sentence in error.fields.items()]
            continue
        if form.email in first_line_of:
            errors.append(LineError(line.number, "email", f"Line {first_line_of[form.email]} has this email already."))
        else:
            first_line_of[form.email] = line.number
            forms.append((line.number, form))
    return forms, errors


def _form(line: FileLine) -> InvitationForm:
    if line.has_extra_cells:
        raise InvalidInput(
            {"": "This line has more cells than the header. Put quotes around text that contains commas."}
        )
    if formulas := [name for name, text in line.cells.items() if is_formula(text)]:
        raise InvalidInput(dict.fromkeys(formulas, FORMULA_MESSAGE))
    return parse(InvitationForm, {name: unescaped(text) for name, text in line.cells.items()})


def _read(content: bytes) -> Iterator[FileLine]:
    text = content.decode("utf-8-sig", "replace")
    if "\ufffd" in text:  # written by this decoding, or by a browser that decoded the file before
        raise UnreadableFile("This file is not UTF-8 text. Save it as “CSV UTF-8”.")
    header = text.partition("\n")[0]
    delimiter = ";" if header.count(";") > header.count(",") else ","
    rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        yield from _lines(rows)
    except csv.Error:
        raise UnreadableFile("A quotation mark in this file is not closed or is in the wrong place.") from None


def _lines(rows: Any) -> Iterator[FileLine]:
    names = _columns(next(rows, []))
    count, number = 0, rows.line_num + 1
    for cells in rows:
        if any(cell.strip() for cell in cells):
            count += 1
            if count > MAX_INVITATION_LINES:
                raise UnreadableFile(f"One file holds at most {MAX_INVITATION_LINES} invitations.")
            yield FileLine(number, dict(zip(names, cells, strict=False)), len(cells) > len(names))
        number = rows.line_num + 1
    if not count:
        raise UnreadableFile("This file has no lines below its header.")


def _columns(header: list[str]) -> list[str]:
    names = [_BY_NAME.get(cell.replace(" ", "").lower(), "") for cell in header]
    if "email" not in names or "" in names or len(set(names)) < len(names):
        raise UnreadableFile(HEADER_MESSAGE)
    return names
