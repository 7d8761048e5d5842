"""The invitations of a file are sent as they were checked (RULE invitations-file)."""

import asyncio
from typing import Any

import pytest
from reflex.state import State

from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.schemas.account.invitations import InvitationImportReport
from marketplace_app.states.admin.invitations import invitation_file
from marketplace_app.states.admin.invitations.invitation_file import CHANGED_SINCE_CHECK, AdminInvitationFileState

CHECKED = "email\nnora@example.org\n"


@pytest.mark.parametrize(
    ("typed", "sent", "shown"),
    [
        (CHECKED, [CHECKED], ("sent", "")),
        (CHECKED.replace("\n", "\r\n"), [CHECKED], ("sent", "")),
        ("email\nmary@example.org\n", [], ("file", CHANGED_SINCE_CHECK)),
    ],
    ids=["the same", "other line endings", "another address"],
)
def test_only_the_lines_that_were_checked_are_sent(
    typed: str, sent: list[str], shown: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []

    async def write(_state: Any, _service: Any, content: bytes) -> InvitationImportReport:
        written.append(content.decode())
        return InvitationImportReport(lines=1, sent=(), errors=())

    async def send() -> tuple[str, str]:
        state = await State().get_state(AdminInvitationFileState)
        state.view, state._text = "good", CHECKED
        async for _ in AdminInvitationFileState.event_handlers["send"].fn(state, typed):
            pass
        return state.view, state.error

    monkeypatch.setattr(invitation_file, "write", write)
    assert asyncio.run(send()) == shown
    assert written == sent
