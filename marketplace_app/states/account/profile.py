"""The account's settings: the user's names and phone number."""

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.schemas.account.accounts import ProfileForm, UserView
from marketplace_app.schemas.base import parse
from marketplace_app.services import accounts
from marketplace_app.services.account import profile
from marketplace_app.states.events.base import SIGNED_IN, Events, Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields

FORM_ID = "profile-form"
"""Receives the focus when 'Show what was saved' disappears."""
FIELDS = ("firstName", "lastName", "phone")


class ProfileFormData(TypedDict, total=False):
    firstName: str
    lastName: str
    phone: str


class ProfileState(rx.State):
    is_loaded: bool = False
    is_saving: bool = False
    values: dict[str, str] = dict.fromkeys(FIELDS, "")
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    is_outdated: bool = False
    """The profile was changed elsewhere since the form was filled, such as by a first order."""
    form_key: int = 0
    """The React key of the fields: a new number rebuilds them with the saved values, but leaves the focus on 'Save'."""

    @action(
        who=SIGNED_IN,
        signed_out=messages.SIGN_IN_FOR_ACCOUNT,
        on_failure=(Fields("errors", FIELDS), Explain(messages.PROFILE_NOT_SAVED)),
    )
    async def save(self, form: ProfileFormData) -> Updates:
        """Submit."""
        self.errors = dict.fromkeys(FIELDS, "")
        typed = {name: form.get(name, "") for name in FIELDS}
        parsed = parse(ProfileForm, typed)
        self.is_saving = True
        yield None
        try:
            view = await write(self, profile.save, parsed)
        finally:
            self.is_saving = False
        saved = _values(view)
        if saved == typed:
            # Without a rebuild, which would take the focus from the field in which Enter was pressed.
            self.values = saved
        self._fill(saved)
        await toast(self, "success", messages.PROFILE_SAVED)

    @action(who=SIGNED_IN)
    async def reload(self) -> Events:
        """Discard what was typed and show what is saved.

        The key changes even if the saved values have not; otherwise the typed text would stay.
        """
        self.form_key += 1
        await self._load(keeps_form=False)
        return rx.set_focus(FORM_ID)

    async def _load(self, *, keeps_form: bool) -> None:
        """With `keeps_form`, a loaded form is not refilled, because somebody may be typing in it; it is only marked as
        outdated if the saved values differ from those it was filled with."""
        saved = _values(await read(self, accounts.show))
        if keeps_form and self.is_loaded:
            self.is_outdated = saved != self.values
        else:
            self._fill(saved)

    def _fill(self, values: dict[str, str]) -> None:
        if values != self.values:
            self.values, self.form_key = values, self.form_key + 1
        self.errors, self.is_outdated, self.is_loaded = dict.fromkeys(FIELDS, ""), False, True


def _values(view: UserView) -> dict[str, str]:
    return {"firstName": view.first_name, "lastName": view.last_name, "phone": view.phone}
