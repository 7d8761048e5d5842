"""Who is looking: what the header and the gates need to know, and no more.

The guard fills it in on every event, so that a ban or a sign-out shows at once.
"""

from collections.abc import Mapping
from typing import Any

import reflex as rx

from marketplace_app.models import PERMISSIONS, User


class ViewerState(rx.State):
    is_known: bool = False
    """False until the server has said who this is; nothing that depends on it may be shown before."""
    is_unverifiable: bool = False
    """Who this is could not be found out: the database did not answer."""
    is_signed_in: bool = False
    is_admin: bool = False
    """Works here, in whatever role."""
    permissions: list[str] = []
    """What their role may do; the server asks again."""
    has_access: bool = False
    """Signed in and, in an invite-only store, invited."""
    is_age_verified: bool = False
    email: str = ""
    _known_as: str | None = None
    """The person's number, nothing for a visitor; None when the tab is new."""
    _has_reconnected: bool = False
    """Nobody arrived: the page has stood all along, and its line broke and is there again."""
    _is_connection_new: bool = False
    _path: str = ""
    """Of the page that this tab shows, without its query."""
    _has_stayed: bool = False
    """The same page with another query, such as a search that has just been answered."""

    def _see(self, user: User | None, *, has_access: bool) -> None:
        seen = {
            "is_known": True,
            "is_unverifiable": False,
            "is_signed_in": user is not None,
            "is_admin": user is not None and user.is_admin,
            "permissions": sorted(PERMISSIONS[user.role]) if user else [],
            "has_access": has_access,
            "is_age_verified": user is not None and user.age_verified_at is not None,
            "email": user.email if user else "",
        }
        assign_changed(self, seen)


def assign_changed(state: rx.State, values: Mapping[str, Any]) -> None:
    """Assign the fields whose value differs: what is assigned is sent to the browser, changed or not."""
    for name, value in values.items():
        if getattr(state, name) != value:
            setattr(state, name, value)
