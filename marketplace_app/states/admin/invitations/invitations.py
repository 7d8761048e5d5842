"""Invitations in the admin area: the form, the list, and its actions. `invitation_file.py` invites many at once."""

from dataclasses import dataclass
from operator import itemgetter

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import clock, messages
from marketplace_app.config import get_settings
from marketplace_app.display.labels import INVITATION_HUES
from marketplace_app.display.paging import counted
from marketplace_app.messages import Notice
from marketplace_app.models import Permission
from marketplace_app.schemas.account.invitations import (
    DisplayStatus,
    InvitationForm,
    InvitationRef,
    InvitationRow,
    InvitationsParams,
    SentInvitation,
)
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import PageNumber, SearchText
from marketplace_app.services.account import invitations
from marketplace_app.states.events.base import Events, Updates, action, query_of, read, toast, write
from marketplace_app.states.events.choices import refine
from marketplace_app.states.events.failures import Explain, Fields
from marketplace_app.states.events.last_page import read_page

FIELDS = ("email", "firstName", "lastName", "notes")


@dataclass(frozen=True)
class ListedInvitation:
    id: int
    email: str
    name: str
    notes: str
    subtitle: str
    """`Sent Nov 20, 2026 · expires Nov 27, 2026, 3:40 PM`"""
    status_label: str
    status_hue: str
    is_pending: bool
    """Neither accepted nor revoked: may be sent again or revoked."""


class InvitationFormData(TypedDict, total=False):
    form_key: str
    email: str
    firstName: str
    lastName: str
    notes: str


class AdminInvitationsState(rx.State):
    is_loading: bool = True
    invitations: list[ListedInvitation] = []
    count_label: str = ""
    range_label: str = ""
    page: int = 1
    pages: int = 1
    search_text: str = ""
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    is_sending: bool = False
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number rebuilds the form empty."""
    link: str = ""
    """The link of the invitation just sent: its code is never available again."""
    link_for: str = ""
    _linked: int = 0
    """The id of the invitation with that link."""

    @action(who=Permission.SEE_INVITATIONS)
    async def search(self, text: str) -> Events:
        return await self._refine(q=parse(SearchText, {"text": text}).text, is_typed=True)

    @action(who=Permission.SEE_INVITATIONS)
    async def go_to(self, page: int) -> Events:
        return await self._refine(page=parse(PageNumber, {"page": page}).page)

    @action(
        who=Permission.SEND_INVITATIONS,
        on_failure=(Fields("errors", FIELDS), Explain(messages.ERROR, messages.INVITATION_NOT_SENT)),
    )
    async def send(self, form: InvitationFormData) -> Updates:
        self.is_sending, self.errors = True, dict.fromkeys(FIELDS, "")
        yield None
        try:
            parsed = parse(InvitationForm, {name: form.get(name, "") for name in FIELDS})
            sent = await write(self, invitations.send, parsed)
        finally:
            self.is_sending = False
        await self._show_link(sent)

    @action(who=Permission.SEND_INVITATIONS, on_failure=Explain(messages.ERROR, messages.INVITATION_NOT_SENT))
    async def resend(self, invitation_id: int) -> None:
        await self._show_link(await write(self, invitations.resend, parse(InvitationRef, {"id": invitation_id}).id))

    @action(who=Permission.SEND_INVITATIONS, on_failure=Explain(messages.ERROR, messages.INVITATION_NOT_REVOKED))
    async def revoke(self, invitation_id: int) -> None:
        revoked = parse(InvitationRef, {"id": invitation_id}).id
        await write(self, invitations.revoke, revoked)
        if self._linked == revoked:
            self.link, self.link_for = "", ""
        await toast(self, "success", messages.INVITATION_REVOKED)

    async def _show_link(self, sent: SentInvitation) -> None:
        self.link, self.link_for, self._linked = sent.invite_url, sent.email, sent.id
        await toast(self, "success", sent_notice())

    async def _load(self) -> None:
        params = self._params()
        (total, found), paging = await read_page(
            params.query(), lambda query: read(self, invitations.list_all, query), itemgetter(0)
        )
        self.invitations = [_row(each) for each in found]
        self.count_label = counted(total, "invitation")
        self.page, self.pages, self.range_label = paging.page, paging.pages, paging.range_label
        self.search_text = params.q
        self.is_loading = False

    def _params(self) -> InvitationsParams:
        return query_of(self, InvitationsParams)

    async def _refine(self, *, is_typed: bool = False, **changes: object) -> Events:
        path = (
            "/admin/invitations" if self.router.url.path.startswith("/admin/invitations") else "/admin?tab=invitations"
        )
        return await refine(self, path, InvitationsParams, is_typed=is_typed, **changes)


def sent_notice() -> Notice:
    """Never claims a mail that was not sent (RULE invitations-send)."""
    return messages.INVITATION_SENT if get_settings().smtp_host else messages.INVITATION_CREATED


def _row(invitation: InvitationRow) -> ListedInvitation:
    return ListedInvitation(
        id=invitation.id,
        email=invitation.email or "a deleted account",
        name=f"{invitation.first_name} {invitation.last_name}".strip(),
        notes=invitation.notes,
        subtitle=_subtitle(invitation),
        status_label=invitation.display_state.label,
        status_hue=INVITATION_HUES[invitation.display_state],
        is_pending=invitation.display_state in (DisplayStatus.PENDING, DisplayStatus.EXPIRED),
    )


def _subtitle(invitation: InvitationRow) -> str:
    timezone = get_settings().timezone
    sent = f"Sent {clock.show_date(invitation.created_at, timezone)}"
    if invitation.accepted_at is not None:
        by = f" by {invitation.accepted_email}" if invitation.accepted_email else ""
        return f"{sent} · accepted {clock.show_date(invitation.accepted_at, timezone)}{by}"
    if invitation.display_state is DisplayStatus.REVOKED:
        return sent
    word = "expires" if invitation.display_state is DisplayStatus.PENDING else "expired"
    return f"{sent} · {word} {clock.show_time(invitation.expires_at, timezone)}"
