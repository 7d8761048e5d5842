"""The invitation page."""

import reflex as rx

from marketplace_app import messages
from marketplace_app.services.account import invitations
from marketplace_app.states.events.base import ANYONE, SIGNED_IN, Updates, action, read, route_argument, toast, write
from marketplace_app.states.events.failures import Explain, Instead, ShowView
from marketplace_app.states.events.guard import identify_again
from marketplace_app.states.events.viewer import ViewerState


class InvitationState(rx.State):
    view: str = "loading"
    """loading, valid, invalid, failed, or none when the URL has no code"""
    email: str = ""
    first_name: str = ""
    flavor_text: str = ""
    """`Flavors such as Citrus await you, with THC 20-28%.`, or nothing."""
    is_accepting: bool = False

    async def _show_invalid(self, error: invitations.InvalidInvitation) -> None:
        """Even if the screen shows a valid invitation: it may have become invalid before a reconnect."""
        self.view = "invalid"

    @action(
        who=ANYONE,
        on_failure=(Instead(invitations.InvalidInvitation, _show_invalid), ShowView("failed", with_toast=True)),
    )
    async def load(self) -> Updates:
        """on_load, and again after a reconnect: an invitation that is on the screen stays until the answer arrives."""
        if not (self.view == "valid" and (await self.get_state(ViewerState))._has_reconnected):
            self.view = "loading"
            yield None
        code = route_argument(self, "invitation_code")
        if not code:
            self.view = "none"
            return
        found, flavor = await read(self, invitations.look_up_with_flavor, code)
        self.flavor_text = messages.invitation_flavor(flavor) if flavor else ""
        self.email, self.first_name, self.view = found.email, found.first_name, "valid"

    @action(who=ANYONE)
    async def load_none(self) -> None:
        """on_load of `/invite`, the URL without a code."""
        self.view = "none"

    @action(who=SIGNED_IN, must_sign_in=True, on_failure=Explain(messages.ACCEPT_FAILED.title))
    async def accept(self) -> Updates:
        """Use the invitation, then go where the service says."""
        self.is_accepting = True
        yield None
        try:
            path = await write(self, invitations.accept, route_argument(self, "invitation_code"))
        finally:
            self.is_accepting = False
        await identify_again(self)  # or this tab would load its page again, whose invitation is used now
        await toast(self, "success", messages.WELCOME)
        yield rx.redirect(path)
