"""Editing, banning and deleting a user: in dialogs on the list, and on the user's admin page."""

from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages, money
from marketplace_app.errors import EditedMeanwhile
from marketplace_app.messages import Notice
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.users import AdminUserView, BanForm, UserForm, UserRef
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import OpenToggle
from marketplace_app.services.admin import user_actions
from marketplace_app.services.admin import users as admin_users
from marketplace_app.states.admin.users.users import USERS_PATH
from marketplace_app.states.events.base import Events, Updates, action, read, toast, write
from marketplace_app.states.events.failures import Explain, Fields, On, mark_changed

FIELDS = ("firstName", "lastName", "email", "referralCredit", "reason")


class UserFormData(TypedDict, total=False):
    form_key: str
    firstName: str
    lastName: str
    email: str
    referralCredit: str


class BanFormData(TypedDict, total=False):
    form_key: str
    reason: str


class AdminUserFormState(rx.State):
    open_dialog: str = ""
    """edit, ban, delete, or nothing"""
    title: str = ""
    """`Nora Whitfield · nora@example.com`, or only the address of a user without a name."""
    values: dict[str, str] = dict.fromkeys(FIELDS, "")
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    is_saving: bool = False
    form_key: int = 0
    """The form's key (RULE sent-once), and its React key: a new number rebuilds the form with the user's values."""
    _user_id: int = 0
    _seen: dict[str, Any] = {}
    """The stored values of the user, as the form shows them."""

    @action(who=Permission.EDIT_USERS, on_failure=Explain(messages.ERROR, messages.USER_NOT_UPDATED))
    async def edit(self, user_id: int) -> None:
        await self._open(user_id, "edit")

    @action(who=Permission.BAN_USERS, on_failure=Explain(messages.ERROR, messages.USER_NOT_BANNED))
    async def ask_to_ban(self, user_id: int) -> None:
        await self._open(user_id, "ban")

    @action(who=Permission.DELETE_USERS, on_failure=Explain(messages.ERROR, messages.USER_NOT_DELETED))
    async def ask_to_delete(self, user_id: int) -> None:
        await self._open(user_id, "delete")

    @action(who=Permission.SEE_USERS)
    async def set_open(self, is_open: bool) -> None:
        """The browser may close the dialog, but not open it."""
        if not parse(OpenToggle, {"isOpen": is_open}).is_open:
            self._close()

    async def _mark_conflicts(self, error: EditedMeanwhile) -> None:
        """Show the stored values beside the fields, and keep what was typed: saving again knowingly replaces them."""
        user = await read(self, admin_users.get, self._user_id)
        stored, texts = user_actions.editable_values(user, user.referral_credit_cents), _values(user)
        current = texts | {"referralCredit": money.show(user.referral_credit_cents)}
        self._seen = self._seen | {name: stored[name] for name in error.fields}
        self.values = self.values | {name: texts[name] for name in error.fields}
        self.errors = mark_changed(FIELDS, error.fields, current)

    @action(
        who=Permission.EDIT_USERS,
        on_failure=(
            Fields("errors", FIELDS),
            On(EditedMeanwhile, _mark_conflicts),
            Explain(messages.ERROR, messages.USER_NOT_UPDATED),
        ),
    )
    async def save(self, form: UserFormData) -> Updates:
        """Only changed fields are passed on, so that credit earned meanwhile is kept."""
        self.is_saving, self.errors = True, dict.fromkeys(FIELDS, "")
        yield None
        try:
            changes = {name: value for name, value in form.items() if value != self.values.get(name)}
            if changes.get("referralCredit") == "":  # an emptied field means no credit
                changes["referralCredit"] = "0"
            await write(self, user_actions.edit, self._user_id, parse(UserForm, changes), seen=self._seen)
        finally:
            self.is_saving = False
        await self._done(messages.USER_UPDATED)

    @action(
        who=Permission.BAN_USERS,
        on_failure=(Fields("errors", FIELDS), Explain(messages.ERROR, messages.USER_NOT_BANNED)),
    )
    async def ban(self, form: BanFormData) -> Updates:
        self.is_saving, self.errors = True, dict.fromkeys(FIELDS, "")
        yield None
        try:
            await write(self, user_actions.ban, self._user_id, parse(BanForm, {"reason": form.get("reason", "")}))
        finally:
            self.is_saving = False
        await self._done(messages.USER_BANNED)

    @action(who=Permission.BAN_USERS, on_failure=Explain(messages.ERROR, messages.USER_NOT_UNBANNED))
    async def unban(self, user_id: int) -> None:
        await write(self, user_actions.unban, parse(UserRef, {"id": user_id}).id)
        await self._done(messages.USER_UNBANNED)

    @action(who=Permission.DELETE_USERS, on_failure=Explain(messages.ERROR, messages.USER_NOT_DELETED))
    async def delete(self) -> Events:
        if self.open_dialog != "delete":
            return None
        await write(self, user_actions.delete, self._user_id)
        await self._done(messages.USER_DELETED)
        if self.router.url.path.startswith("/admin/users/"):
            return rx.redirect(USERS_PATH)
        return None

    @action(who=Permission.EDIT_USERS, on_failure=Explain(messages.ERROR, messages.USER_NOT_SIGNED_OUT))
    async def sign_out(self, user_id: int) -> None:
        await write(self, user_actions.sign_out, parse(UserRef, {"id": user_id}).id)
        await self._done(messages.USER_SIGNED_OUT)

    async def _done(self, notice: Notice) -> None:
        """Close the dialog and show a toast. The list and the page refresh by themselves: they are subscribed to
        changes."""
        self._close()
        await toast(self, "success", notice)

    def _leave_page(self) -> None:
        if self.open_dialog:
            self._close()

    def _close(self) -> None:
        self.open_dialog = ""

    async def _open(self, user_id: int, dialog: str) -> None:
        user = await read(self, admin_users.get, parse(UserRef, {"id": user_id}).id)
        self._user_id = user.id
        self.title = f"{user.name} · {user.email}" if user.name else user.email
        self.values, self.errors = _values(user), dict.fromkeys(FIELDS, "")
        self._seen = user_actions.editable_values(user, user.referral_credit_cents)
        self.open_dialog, self.form_key = dialog, self.form_key + 1


def _values(user: AdminUserView) -> dict[str, str]:
    texts = (user.first_name, user.last_name, user.email, money.decimal(user.referral_credit_cents), "")
    return dict(zip(FIELDS, texts, strict=True))
