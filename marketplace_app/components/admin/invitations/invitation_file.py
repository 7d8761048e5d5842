"""Bulk invitations: the browser reads a file, its lines can be corrected in the form, and no invitation is sent until
all lines are valid."""

import reflex as rx

from marketplace_app import messages
from marketplace_app.components.admin.invitations.invitation_link import copy_button
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.dialogs import dialog, dialog_footer, dialog_header
from marketplace_app.components.controls.fields import text_area
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.shell.script_messages import toast_from_script
from marketplace_app.framework.expressions import expression
from marketplace_app.messages import Notice
from marketplace_app.states.admin.invitations.invitation_file import MAX_SENT_BYTES, MAX_TEXT, LineProblem, Link
from marketplace_app.states.admin.invitations.invitation_file import AdminInvitationFileState as State

_LINES_ID = "csv"
_TYPED = expression(f"document.getElementById('{_LINES_ID}').value", str)
# When the same file is chosen again after a correction, browsers fire a change event only if the field was emptied.
_FORGET_FILE = rx.Var("(event) => { event.target.value = ''; }")
_TOO_LARGE = f"This file is too large: at most {MAX_TEXT // 1_000} kB. Send it in parts."
_SAY_TOO_LARGE = toast_from_script("error", Notice(messages.ERROR, _TOO_LARGE))
_READ_FILE = rx.Var(f"""async (event) => {{
  const file = event.target.files[0];
  if (!file) return;
  const text = document.getElementById("{_LINES_ID}");
  if (file.size > {MAX_TEXT}) {{
    {_SAY_TOO_LARGE}
    event.target.value = "";
    return;
  }}
  text.value = await file.text();
  text.focus();
}}""")
# The server closes the socket when an event is too large. Both sizes are checked, because in JSON a line break or a
# quotation mark takes two bytes.
_REFUSE_TOO_LARGE = rx.Var(f"""(event) => {{
  const text = {_TYPED};
  if (new Blob([text]).size <= {MAX_TEXT} && new Blob([JSON.stringify(text)]).size <= {MAX_SENT_BYTES}) return;
  event.preventDefault();
  event.stopPropagation();
  {_SAY_TOO_LARGE}
}}""")


def _file() -> rx.Component:
    choose = rx.el.div(
        rx.el.label("CSV file", html_for="csv-file", class_name="text-small font-semibold"),
        rx.el.input(
            type="file",
            id="csv-file",
            name="csv-file",
            accept=".csv,text/csv",
            custom_attrs={"onClick": _FORGET_FILE, "onChange": _READ_FILE},
            class_name=(
                "w-full rounded-2 border border-dashed border-line-strong bg-paper p-2 text-small file:mr-3 "
                "file:min-h-9 file:rounded-2 file:border file:border-line-strong file:bg-surface file:px-3 "
                "file:font-semibold file:text-ink"
            ),
        ),
        class_name="grid gap-1.5",
    )
    lines = text_area(
        "Lines",
        _LINES_ID,
        State.error,
        hint="The first line names the columns: email, firstName, lastName, notes. Only email is required.",
        rows=8,
        placeholder="email,firstName,lastName,notes",
        spell_check=False,
        wrap="off",
    )
    return rx.el.div(choose, lines, class_name="grid gap-4")


def _problem(problem: rx.Var[LineProblem]) -> rx.Component:
    return rx.el.li(
        rx.el.b(problem.place, class_name="font-semibold"),
        rx.el.span(problem.sentence, class_name="text-ink-2"),
        key=problem.key,
        class_name="flex flex-wrap gap-x-3 border-t border-line py-1.5 text-small",
    )


def _report() -> rx.Component:
    return rx.el.div(
        rx.el.p(
            rx.cond(
                State.view == "bad",
                rx.fragment(icon("alert", "sm", "mt-0.5 text-bad"), State.summary),
                rx.cond(
                    State.view == "good",
                    rx.fragment(icon("check", "sm", "mt-0.5 text-brand-text"), State.summary),
                ),
            ),
            role="status",
            class_name="flex items-start gap-2 text-small font-semibold empty:hidden",
        ),
        rx.cond(
            State.view == "bad",
            rx.el.ul(rx.foreach(State.problems, _problem), aria_label="What is wrong", class_name="mt-2"),
        ),
        class_name="mt-4",
    )


def _link(each: rx.Var[Link]) -> rx.Component:
    return rx.el.li(
        rx.el.span(each.email, class_name="min-w-0 truncate"),
        copy_button(each.url, f"Copy the link for {each.email}"),
        key=each.email,
        class_name="flex items-center justify-between gap-3 border-t border-line py-1 text-small first:border-t-0",
    )


def _sent() -> rx.Component:
    return rx.el.div(
        rx.el.p(
            "These links are shown only once, because the codes are not stored.", class_name="text-small text-ink-2"
        ),
        rx.el.ul(rx.foreach(State.links, _link), aria_label="Links", class_name="mt-2"),
        tab_index=0,
        role="region",
        aria_label="Sent invitations",
        class_name="min-h-0 flex-1 overflow-y-auto p-5",
    )


def _form() -> rx.Component:
    check = pending_button("Check", "Checking...", State.is_working, type="submit", variant="outline")
    send = pending_button(
        "Send Invitations",
        "Sending...",
        State.is_working,
        on_click=State.send(_TYPED),
        custom_attrs={"onClickCapture": _REFUSE_TOO_LARGE},
    )
    return rx.el.form(
        rx.el.div(_file(), _report(), class_name="min-h-0 flex-1 overflow-y-auto p-5"),
        dialog_footer(
            "Cancel",
            check,
            rx.cond(State.view == "good", send),
        ),
        on_submit=State.check,
        custom_attrs={"onSubmitCapture": _REFUSE_TOO_LARGE},
        no_validate=True,
        class_name="flex min-h-0 flex-col",
    )


def file_dialog() -> rx.Component:
    head = dialog_header("Invite from a file")
    return dialog(
        head,
        rx.cond(State.view == "sent", _sent(), _form()),
        trigger=button(icon("upload", "sm"), "Invite from CSV", variant="outline", size="sm"),
        shape="wide",
        open=State.is_open,
        on_open_change=State.set_open,
    )
