"""The viewer: only what the header and the gates need to know.

The guard fills it in on every event, so that a ban or a sign-out shows at once.
"""

from collections.abc import Mapping
from typing import Any

import reflex as rx

from marketplace_app.models import PERMISSIONS, User


class ViewerState(rx.State):
    is_known: bool = False
    """False until the server has identified the viewer; until then, nothing that depends on it may be shown."""
    is_unverifiable: bool = False
    """The viewer could not be identified: the database did not answer."""
    has_load_failed: bool = False
    """The page that was opened could not be loaded."""
    is_signed_in: bool = False
    is_staff: bool = False
    """Has any staff role."""
    permissions: list[str] = []
    """Permissions of the role, for display; the server checks them again."""
    has_access: bool = False
    """Signed in and, in an invite-only store, invited."""
    is_age_verified: bool = False
    email: str = ""
    _user_id: str | None = None
    """The user's id as text, empty for a guest; None when the tab is new."""
    _has_reconnected: bool = False
    """This load follows a reconnect of an open page, not a navigation."""
    _is_reconnecting: bool = False
    """An open page has reconnected, and its load has not come yet."""
    _path: str = ""
    """Path of the page that this tab shows, without its query."""
    _is_same_page: bool = False
    """The page is the same and only its query changed, such as after a search, whose words are in the URL."""
    _redirects: list[str] = []
    """URLs of the redirects under way, the oldest first (`choices.py`)."""
    _follows_redirect: bool = False
    """This load follows such a redirect."""

    def _keeps_forms(self) -> bool:
        """Whether this load shows a page that was open already, after a reconnect or with another query: its forms then
        keep what was typed."""
        return self._has_reconnected or self._is_same_page

    def _user_and_access(self) -> tuple[str, bool, tuple[str, ...]] | None:
        """Who the viewer is and what they may see; None before they were identified."""
        return (self._user_id or "", self.has_access, tuple(self.permissions)) if self.is_known else None

    def _note_failed_load(self, *, shows_tab: bool = True) -> None:
        """For a page, or a tab of it, that shows nothing yet. One that is open already stays as it is."""
        if not (shows_tab and self._keeps_forms()):
            self.has_load_failed = True

    def _set_user(self, user: User | None, *, has_access: bool) -> None:
        values = {
            "is_known": True,
            "is_unverifiable": False,
            "is_signed_in": user is not None,
            "is_staff": user is not None and user.is_staff,
            "permissions": sorted(PERMISSIONS[user.role]) if user else [],
            "has_access": has_access,
            "is_age_verified": user is not None and user.age_verified_at is not None,
            "email": user.email if user else "",
        }
        assign_changed(self, values)


def assign_changed(state: rx.State, values: Mapping[str, Any]) -> None:
    """Assign only the fields whose value differs: every assigned field is sent to the browser, changed or not."""
    for name, value in values.items():
        if getattr(state, name) != value:
            setattr(state, name, value)
