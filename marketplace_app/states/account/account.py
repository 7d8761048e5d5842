"""The account page: its open tab and the user's profile."""

import reflex as rx

from marketplace_app import clock, messages, money
from marketplace_app.config import get_settings
from marketplace_app.schemas.account.account_page import AccountParams, AccountTabChoice
from marketplace_app.schemas.base import parse
from marketplace_app.services import accounts
from marketplace_app.states.account.addresses import AddressesState
from marketplace_app.states.account.profile import ProfileState
from marketplace_app.states.account.referrals import ReferralsState
from marketplace_app.states.buying.buy_again import BuyAgainState
from marketplace_app.states.buying.orders import OrdersState
from marketplace_app.states.buying.saved import SavedState
from marketplace_app.states.events.base import SIGNED_IN, Events, Updates, action, query_of, read
from marketplace_app.states.events.choices import visit
from marketplace_app.states.events.failures import ShowPageFailed
from marketplace_app.states.events.signal import SignalState
from marketplace_app.states.events.subscriptions import subscribe_to_own
from marketplace_app.states.events.viewer import ViewerState


class AccountState(rx.State):
    tab: str = "profile"
    """profile, orders, saved, referrals or settings"""
    is_loaded: bool = False
    """The profile has been loaded."""
    facts: list[tuple[str, str]] = []
    """Label and value: email, names, member since, what was ordered and spent, and the account's status."""
    is_age_verified: bool = False
    _shown_tab: str = ""
    """The tab whose content was loaded last."""

    @action(who=SIGNED_IN, signed_out=messages.SIGN_IN_FOR_ACCOUNT, on_failure=ShowPageFailed(has_tabs=True))
    async def load(self) -> Updates:
        """on_load: the URL says which tab."""
        params = self._params()
        self.tab = params.tab
        if self.tab != "settings":
            (await self.get_state(AddressesState))._leave_page()
        yield None
        subscribe_to_own(self)
        (await self.get_state(BuyAgainState))._forget()
        if params.tab == "orders":
            # The order is in the list, so the checkout need not announce it any more.
            (await self.get_state(SignalState))._order_notice = None
        keeps_forms = (await self.get_state(ViewerState))._keeps_forms()
        if not keeps_forms:
            # So that Settings, if it is opened later in this visit, fills its form anew.
            (await self.get_state(ProfileState)).is_loaded = False
        await self._show_tab(params, keeps_forms=keeps_forms)

    @action(who=SIGNED_IN)
    async def open_tab(self, tab: str) -> Events:
        """Put the tab into the URL, so that Back works; navigation then loads it."""
        self.tab = parse(AccountTabChoice, {"tab": tab}).tab
        return await visit(self, f"/account?tab={self.tab}")

    async def _refresh(self) -> None:
        """Something of this user's changed in another tab or on the server."""
        await self._show_tab(self._params(), keeps_forms=True)

    async def _show_tab(self, params: AccountParams, *, keeps_forms: bool) -> None:
        await self._load_profile()
        if params.tab == "orders":
            await (await self.get_state(OrdersState))._load(params.page)
        elif params.tab == "saved":
            await (await self.get_state(SavedState))._load()
        elif params.tab == "referrals":
            await (await self.get_state(ReferralsState))._load("" if keeps_forms else params.code)
        elif params.tab == "settings":
            await (await self.get_state(ProfileState))._load(keeps_form=keeps_forms)
            await (await self.get_state(AddressesState))._load()
        self._shown_tab = params.tab

    def _params(self) -> AccountParams:
        return query_of(self, AccountParams)

    async def _load_profile(self) -> None:
        user = await read(self, accounts.show)
        self.facts = [
            ("Email", user.email),
            ("First name", user.first_name or "Not set"),
            ("Last name", user.last_name or "Not set"),
            ("Member since", clock.show_date(user.created_at, get_settings().timezone)),
            ("Total orders", str(user.total_orders)),
            ("Total spent", money.show(user.total_spent_cents)),
            ("Account status", "Active"),
        ]
        self.is_age_verified, self.is_loaded = user.is_age_verified, True
