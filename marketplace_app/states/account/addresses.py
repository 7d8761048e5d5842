"""The account's settings: saved addresses, and the dialog that adds and edits one."""

from dataclasses import dataclass

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.errors import Conflict, NotFound, StoreError
from marketplace_app.limits import MAX_ADDRESSES
from marketplace_app.schemas.account.addresses import AddressRef, AddressView, SavedAddressForm
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.schemas.texts import as_textarea_value
from marketplace_app.services.account import addresses
from marketplace_app.states.events.base import SIGNED_IN, Events, Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields, On, Silent

LIST_ID = "addresses"
"""Receives the focus when the press on a control removes it."""
FIELDS = ("label", "street", "city", "state", "zip", "deliveryInstructions", "paymentInstructions")


class AddressFormData(TypedDict, total=False):
    form_key: str
    label: str
    street: str
    city: str
    state: str
    zip: str
    deliveryInstructions: str
    paymentInstructions: str
    isDefault: bool


@dataclass(frozen=True)
class AddressRow:
    id: int
    name: str
    """The label; without one, the street."""
    full_address: str
    is_default: bool


class AddressesState(rx.State):
    is_loaded: bool = False
    rows: list[AddressRow] = []
    is_full: bool = False
    """The limit of saved addresses is reached."""
    is_open: bool = False
    """The dialog."""
    is_new: bool = True
    may_make_default: bool = False
    """Another address is the default."""
    values: dict[str, str] = dict.fromkeys(FIELDS, "")
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    is_saving: bool = False
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number rebuilds the form with its `values`."""
    _editing: int = 0
    """The id of the address in the dialog; 0 for a new one."""
    _saved: dict[str, str] = {}
    """The texts of `values` as they are saved: a text box changes their line breaks."""

    async def _reload(self, error: StoreError) -> None:
        """The list was changed in another tab in the meantime."""
        await self._load()

    @action(who=SIGNED_IN, signed_out=messages.SIGN_IN_FOR_ACCOUNT)
    async def add(self) -> None:
        """Open the dialog for a new address."""
        await self._open(None)

    @action(
        who=SIGNED_IN,
        signed_out=messages.SIGN_IN_FOR_ACCOUNT,
        on_failure=(On((NotFound, Conflict), _reload), Explain(messages.ADDRESS_NOT_SAVED)),
    )
    async def edit(self, address: int) -> None:
        """Open the dialog for a saved address."""
        address_id = parse(AddressRef, {"address": address}).address
        saved = next((each for each in await read(self, addresses.list_own) if each.id == address_id), None)
        if saved is None:
            raise addresses.AddressNotFound()
        await self._open(saved)

    @action(who=SIGNED_IN)
    async def set_open(self, is_open: bool) -> None:
        """On Escape, Cancel or a press outside the dialog."""
        self.is_open = self.is_open and parse(OpenToggle, {"isOpen": is_open}).is_open

    @action(
        who=SIGNED_IN,
        signed_out=messages.SIGN_IN_FOR_ACCOUNT,
        on_failure=(Fields("errors", FIELDS), On((NotFound, Conflict), _reload), Explain(messages.ADDRESS_NOT_SAVED)),
    )
    async def save(self, form: AddressFormData) -> Updates:
        """Submit."""
        self.errors = dict.fromkeys(FIELDS, "")
        given = {name: self._entered(name, form.get(name, "")) for name in FIELDS}
        parsed = parse(SavedAddressForm, given | {"isDefault": form.get("isDefault") is True})
        self.is_saving = True
        yield None
        try:
            if self._editing:
                await write(self, addresses.change, self._editing, parsed)
            else:
                await write(self, addresses.add, parsed)
        finally:
            self.is_saving = False
        self.is_open = False
        await self._load()
        await toast(self, "success", messages.ADDRESS_SAVED)

    @action(
        who=SIGNED_IN,
        signed_out=messages.SIGN_IN_FOR_ACCOUNT,
        on_failure=(On((NotFound, Conflict), _reload), Explain(messages.ADDRESS_NOT_SAVED)),
    )
    async def make_default(self, address: int) -> Events:
        await write(self, addresses.make_default, parse(AddressRef, {"address": address}).address)
        await self._load()
        await toast(self, "success", messages.ADDRESS_SAVED)
        return rx.set_focus(LIST_ID)

    @action(
        who=SIGNED_IN,
        signed_out=messages.SIGN_IN_FOR_ACCOUNT,
        on_failure=(
            On((NotFound, Conflict), _reload),
            Silent(NotFound),  # it was pressed twice, or the address was removed in another tab
            Explain(messages.ADDRESS_NOT_SAVED),
        ),
    )
    async def remove(self, address: int) -> Events:
        await write(self, addresses.remove, parse(AddressRef, {"address": address}).address)
        await self._load()
        await toast(self, "success", messages.ADDRESS_REMOVED)
        return rx.set_focus(LIST_ID)

    async def _load(self) -> None:
        saved = await read(self, addresses.list_own)
        self.rows = [AddressRow(each.id, each.name, each.full_address, each.is_default) for each in saved]
        self.is_full, self.is_loaded = len(saved) >= MAX_ADDRESSES, True

    def _leave_page(self) -> None:
        if self.is_open:
            self.is_open = False

    async def _open(self, saved: AddressView | None) -> None:
        self.errors, self.is_saving = dict.fromkeys(FIELDS, ""), False
        given = saved.wire() if saved else {}
        self._saved = {name: str(given.get(name, "")) for name in FIELDS}
        self.values = {name: as_textarea_value(text) for name, text in self._saved.items()}
        self._editing, self.is_new = (saved.id if saved else 0), saved is None
        self.may_make_default = bool(self.rows) and not (saved is not None and saved.is_default)
        self.form_key, self.is_open = self.form_key + 1, True

    def _entered(self, name: str, text: object) -> object:
        """What was typed into a field or, if it was left as it was shown, the saved text."""
        return self._saved[name] if self._saved and text == self.values[name] else text
