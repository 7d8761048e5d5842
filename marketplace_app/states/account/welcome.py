"""The page that a referral link opens."""

import reflex as rx

from marketplace_app import messages
from marketplace_app.errors import NotSignedIn, StoreError
from marketplace_app.schemas.account.referrals import ApplyForm
from marketplace_app.services import referrals
from marketplace_app.states.events.base import ANYONE, Events, action, read, toast, write
from marketplace_app.states.events.connections import referral_code_of
from marketplace_app.states.events.failures import Instead, ShowPageFailed
from marketplace_app.states.events.viewer import ViewerState


class WelcomeState(rx.State):
    is_loaded: bool = False
    offer: str = ""
    """`Nora sent you $100 off your first order`; empty if no user has the code or there is no discount."""
    refusal: str = ""
    """For a signed-in user: why the code cannot be applied."""

    async def _show_refusal(self, error: StoreError) -> None:
        self.refusal, self.is_loaded = error.message, True

    @action(who=ANYONE, on_failure=(Instead((StoreError, NotSignedIn), _show_refusal), ShowPageFailed()))
    async def load(self) -> Events:
        """on_load: show who sent the link. For a signed-in user the code is applied at once."""
        self.offer = self.refusal = ""
        code = referral_code_of(self)
        referral = await read(self, referrals.welcome, code)
        if referral is not None:
            self.offer = messages.referral_sent(referral.first_name, referral.discount_cents)
            if (await self.get_state(ViewerState)).is_signed_in:
                name = await write(self, referrals.apply, ApplyForm(referralCode=code))
                await toast(self, "success", messages.referred_by(name, referral.discount_cents))
                self.is_loaded = True
                return rx.redirect("/", replace=True)
        self.is_loaded = True
        return None
