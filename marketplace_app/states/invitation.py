"""The invitation page."""

import reflex as rx

from marketplace_app import messages
from marketplace_app.errors import NotSignedIn, StoreError
from marketplace_app.messages import Notice
from marketplace_app.services import invitations
from marketplace_app.states.base import ANYONE, SIGNED_IN, Updates, action, read, route_argument, toast, write


class InvitationState(rx.State):
    status: str = "loading"
    """loading, valid, invalid, or none when the address carries no code"""
    email: str = ""
    first_name: str = ""
    problem: str = ""
    """Why it cannot be accepted."""
    is_accepting: bool = False

    @action(who=ANYONE)
    async def load(self) -> Updates:
        """on_load."""
        self.status, self.problem = "loading", ""
        yield None
        code = route_argument(self, "invitation_code")
        if not code:
            self.status = "none"
            return
        found = await read(self, invitations.look_up, code)
        self.email, self.first_name, self.status = found.email, found.first_name, "valid"

    @action(who=ANYONE)
    async def load_none(self) -> None:
        """on_load of the address without a code."""
        self.status = "none"

    @action(who=SIGNED_IN, must_sign_in=True)
    async def accept(self) -> Updates:
        """Become a member and go where the server says."""
        self.is_accepting = True
        yield None
        try:
            path = await write(self, invitations.accept, route_argument(self, "invitation_code"))
        finally:
            self.is_accepting = False
        await toast(self, "success", messages.WELCOME)
        yield rx.redirect(path)

    async def _recover(self, error: StoreError) -> bool:
        if isinstance(error, NotSignedIn):
            return False
        if self.status == "loading":
            self.status, self.problem = "invalid", error.message
        else:
            await toast(self, "error", Notice(messages.ACCEPT_FAILED.title, error.message))
        return True
