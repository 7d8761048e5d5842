"""Who may call an event handler or a route, and why somebody else is refused."""

from enum import StrEnum

from marketplace_app.errors import InvitationRequired, NotAllowed, NotSignedIn, StoreError
from marketplace_app.models import Permission, User
from marketplace_app.services.accounts import has_access


class Who(StrEnum):
    """Who may call something that is not for staff alone. For staff, a `Permission` decides."""

    ANYONE = "anyone"
    SIGNED_IN = "signed in"
    SHOPPERS = "signed in, with access to the shop"


AllowedCaller = Who | Permission


def refusal(who: AllowedCaller, user: User | None) -> StoreError | None:
    """Why this user may not call it; None if they may."""
    if who is Who.ANYONE:
        return None
    if user is None:
        return NotSignedIn()
    if isinstance(who, Permission):
        return None if user.may(who) else NotAllowed()
    return InvitationRequired() if who is Who.SHOPPERS and not has_access(user) else None
