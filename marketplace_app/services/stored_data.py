"""What the store keeps about the caller, in figures; `privacy.export` returns the data itself."""

from typing import Any

from sqlalchemy import ScalarSelect, func, select
from sqlmodel import Session, col

from marketplace_app.models import Address, CartLine, Order, Preferences, User
from marketplace_app.schemas.account.stored_data import StoredDataView
from marketplace_app.services import credits, sessions
from marketplace_app.services.accounts import require_signed_in
from marketplace_app.services.jurisdictions import records
from marketplace_app.services.support import tickets


def show(session: Session, actor: User | None) -> StoredDataView:
    user = require_signed_in(actor)
    statement = select(
        _count(Address, user),
        _count(Order, user),
        _count(CartLine, user),
        tickets.count_tickets(user),
        records.count_birth_dates(user),
    )
    addresses, orders, cart_products, ticket_count, birth_dates = session.execute(statement).one()
    preferences = session.get(Preferences, user.id)
    return StoredDataView(
        email=user.email,
        addresses=addresses,
        orders=orders,
        birth_dates=birth_dates,
        cart_products=cart_products,
        tickets=ticket_count,
        browsers=len(sessions.list_live(session, user.id)),
        credit_cents=credits.balance(session, user.id),
        age_verified_at=user.age_verified_at,
        preferences_saved_at=preferences.saved_at if preferences else None,
        medical_consent_at=preferences.medical_consent_at if preferences else None,
    )


def _count(table: type[Any], user: User) -> ScalarSelect[int]:
    """All rows, as in the export: also orders that staff have deleted, whose rows keep the address."""
    return select(func.count()).select_from(table).where(col(table.user_id) == user.id).scalar_subquery()
