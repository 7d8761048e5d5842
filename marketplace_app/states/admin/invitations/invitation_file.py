"""Bulk invitations from a CSV file: checked first, every bad line explained, then all sent or none."""

from dataclasses import dataclass
from typing import Annotated

import reflex as rx
from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.errors import InvalidInput
from marketplace_app.messages import Notice
from marketplace_app.models import Permission
from marketplace_app.schemas.account.invitations import InvitationImportReport
from marketplace_app.schemas.base import Form, parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.services.admin import invitation_file
from marketplace_app.states.admin.invitations.invitations import sent_notice
from marketplace_app.states.events.base import Updates, action, toast, write
from marketplace_app.states.events.failures import Explain, On

MAX_TEXT = 60_000
"""The longest text that the form takes, in characters. With a longer one, the event would be too large to arrive."""
MAX_SENT_BYTES = 63_000
"""The longest text as JSON, in bytes. The rest of the event must fit too into a message of `startup.SOCKET_BYTES`."""
CHANGED_SINCE_CHECK = "The lines were changed after the check. Please check them again."


class FileText(Form):
    model_config = ConfigDict(str_strip_whitespace=False)

    text: Annotated[str, Field(max_length=MAX_TEXT)]


@dataclass(frozen=True)
class LineProblem:
    key: str
    place: str
    """`Line 3, email`"""
    sentence: str


@dataclass(frozen=True)
class Link:
    email: str
    url: str


class InvitationFileFormData(TypedDict, total=False):
    csv: str


class AdminInvitationFileState(rx.State):
    is_open: bool = False
    view: str = "file"
    """file, bad, good or sent"""
    is_working: bool = False
    count: int = 0
    summary: str = ""
    """`12 invitations are ready.`"""
    error: str = ""
    problems: list[LineProblem] = []
    links: list[Link] = []
    _text: str = ""

    @action(who=Permission.SEND_INVITATIONS)
    async def set_open(self, is_open: bool) -> None:
        self._close()
        self.is_open = parse(OpenToggle, {"isOpen": is_open}).is_open

    async def _show_error(self, error: InvalidInput) -> None:
        self.view, self.error = "file", error.message

    @action(
        who=Permission.SEND_INVITATIONS,
        on_failure=(On(InvalidInput, _show_error), Explain(messages.ERROR, messages.INVITATION_NOT_SENT)),
    )
    async def check(self, form: InvitationFileFormData) -> Updates:
        """Nothing is sent yet."""
        self.is_working, self.error, self.problems = True, "", []
        yield None
        try:
            text = parse(FileText, {"text": form.get("csv", "")}).text
            report = await write(self, invitation_file.import_file, text.encode(), dry_run=True)
        finally:
            self.is_working = False
        self._text, self.count = text, report.lines
        self._show(report)
        if not report.errors:
            self.view = "good"
            self.summary = "1 invitation is ready." if report.lines == 1 else f"{report.lines:,} invitations are ready."

    @action(
        who=Permission.SEND_INVITATIONS,
        on_failure=(On(InvalidInput, _show_error), Explain(messages.ERROR, messages.INVITATION_NOT_SENT)),
    )
    async def send(self, text: str) -> Updates:
        """Send exactly what was checked; refuse if the text has been changed since the check.

        Every line is checked again, because a colleague may have invited one of these people meanwhile. A second press,
        made before the page was updated, does nothing, because `view` is no longer "good".
        """
        if self.view != "good":
            return
        if text.splitlines() != self._text.splitlines():
            raise InvalidInput({"text": CHANGED_SINCE_CHECK})
        self.is_working = True
        yield None
        try:
            report = await write(self, invitation_file.import_file, self._text.encode())
        finally:
            self.is_working = False
        self._show(report)
        if not report.errors:
            self.view, self.links = "sent", [Link(each.email, each.invite_url) for each in report.sent]
            await toast(self, "success", _notice(len(report.sent)))

    def _leave_page(self) -> None:
        if self.is_open:
            self._close()

    def _close(self) -> None:
        """Close the dialog and forget its contents, which include invitation links."""
        self.reset()  # type: ignore[no-untyped-call]

    def _show(self, report: InvitationImportReport) -> None:
        self.problems = [
            LineProblem(str(number), f"Line {each.line}" + (f", {each.column}" if each.column else ""), each.message)
            for number, each in enumerate(report.errors)
        ]
        if report.errors:
            bad_lines = len({each.line for each in report.errors})
            self.view = "bad"
            self.summary = (
                f"{bad_lines} of {report.lines} lines cannot be sent, so none was. Correct them above and check again."
            )


def _notice(count: int) -> Notice:
    notice = sent_notice()
    return Notice(notice.title, notice.text if count == 1 else f"{count:,} invitations. {notice.text}")
