"""The account's settings: the user's names and phone number."""

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.schemas.accounts import ProfileForm, UserView
from marketplace_app.schemas.base import parse
from marketplace_app.services import accounts, profile
from marketplace_app.states.base import SIGNED_IN, Updates, action, read, toast, write
from marketplace_app.states.failures import Explain, Fields

FIELDS = ("firstName", "lastName", "phone")


class FormData(TypedDict, total=False):
    firstName: str
    lastName: str
    phone: str


class ProfileState(rx.State):
    is_loaded: bool = False
    is_saving: bool = False
    values: dict[str, str] = dict.fromkeys(FIELDS, "")
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    form_key: int = 0
    """A React key: a new number rebuilds the form with the saved values."""

    @action(
        who=SIGNED_IN,
        signed_out=messages.SIGN_IN_FOR_ACCOUNT,
        on_failure=(Fields("errors", FIELDS), Explain(messages.PROFILE_NOT_SAVED)),
    )
    async def save(self, form: FormData) -> Updates:
        """Submit."""
        self.errors = dict.fromkeys(FIELDS, "")
        parsed = parse(ProfileForm, {name: form.get(name, "") for name in FIELDS})
        self.is_saving = True
        yield None
        try:
            view = await write(self, profile.save, parsed)
        finally:
            self.is_saving = False
        self._show(view)
        await toast(self, "success", messages.PROFILE_SAVED)

    async def _load(self) -> None:
        self._show(await read(self, accounts.show))

    def _show(self, view: UserView) -> None:
        now = {"firstName": view.first_name, "lastName": view.last_name, "phone": view.phone}
        if now != self.values:
            self.values, self.form_key = now, self.form_key + 1
        self.is_loaded = True
