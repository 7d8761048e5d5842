"""A user's own names and phone number: edited, or filled in from the first order."""

from sqlmodel import Session

from marketplace_app.adapters import live
from marketplace_app.limits import MAX_NAME, MIN_PHONE
from marketplace_app.models import User
from marketplace_app.schemas.account.accounts import ProfileForm, UserView
from marketplace_app.schemas.buying.order_forms import OrderForm
from marketplace_app.services import accounts
from marketplace_app.services.accounts import lock, require_signed_in
from marketplace_app.services.records import announcements


def save(session: Session, actor: User | None, form: ProfileForm) -> UserView:
    """Change the fields that the form has; those left out stay."""
    user = lock(session, require_signed_in(actor))
    _set(session, user, form.columns())
    return accounts.show(session, user)


def fill(session: Session, shopper: User, form: OrderForm) -> None:
    """Fill empty fields of the profile from the checkout; never overwrites. For callers that hold the user's lock."""
    given = {"first_name": form.first_name, "last_name": form.last_name, "phone": form.contact_phone}
    missing = {name: _fitting(value) for name, value in given.items() if value and not getattr(shopper, name)}
    if len(missing.get("phone", "")) < MIN_PHONE:
        missing.pop("phone", None)
    if missing:
        _set(session, shopper, missing)


def _fitting(text: str) -> str:
    """The text, reduced to what a profile allows: a name that is too long must not make the order fail."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())[:MAX_NAME].strip()


def _set(session: Session, user: User, columns: dict[str, str]) -> None:
    for name, value in columns.items():
        setattr(user, name, value)
    accounts.update_search_text(user)
    session.add(user)
    announcements.publish(session, live.user(user.id))
