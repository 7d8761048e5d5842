"""`/admin/invitations`: what the invitations tab shows, on a page of its own."""

import reflex as rx

from marketplace_app.adapters import live
from marketplace_app.models import Permission
from marketplace_app.states.admin.invitations.invitations import AdminInvitationsState
from marketplace_app.states.events.base import action
from marketplace_app.states.events.failures import ShowPageFailed
from marketplace_app.states.events.subscriptions import subscribe


class AdminInvitationsPageState(rx.State):
    @action(who=Permission.SEE_INVITATIONS, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load."""
        subscribe(self, live.STAFF)
        await (await self.get_state(AdminInvitationsState))._load()

    async def _refresh(self) -> None:
        """An invitation was sent, accepted or revoked somewhere."""
        await (await self.get_state(AdminInvitationsState))._load()
