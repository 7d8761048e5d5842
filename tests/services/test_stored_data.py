"""The figures of stored data belong to the user and are correct."""

import pytest
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.limits import SESSION_IDLE_LIFETIME
from marketplace_app.models import User
from marketplace_app.schemas.account.preferences import PreferencesForm
from marketplace_app.schemas.account.stored_data import StoredDataView
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.services import sessions, stored_data
from marketplace_app.services.account import preferences
from marketplace_app.services.buying import cart, orders
from tests.builders import make_product, order_form
from tests.conftest import Cast


def show(who: User) -> StoredDataView:
    return db.read(lambda s: stored_data.show(s, s.get(User, who.id)))


def test_the_figures_are_of_the_user_only(session: Session, cast: Cast) -> None:
    fern = make_product(session, "Fern Hollow", price_cents=120_00, stock=9)
    session.commit()
    nothing = show(cast.alice)
    assert (nothing.orders, nothing.cart_products, nothing.tickets, nothing.addresses) == (0, 0, 0, 0)
    assert nothing.preferences_saved_at is None and nothing.medical_consent_at is None
    wanted = parse(PreferencesForm, {"medicalConsent": True, "medicalNeeds": ["Stress"]})
    for who in (cast.alice, cast.bob):
        db.write(lambda s, who=who: orders.place(s, s.get(User, who.id), order_form((fern, 1)), key=f"of-{who.id}"))
    db.write(lambda s: cart.add(s, s.get(User, cast.alice.id), parse(AddForm, {"productId": fern.id, "quantity": 2})))
    db.write(lambda s: preferences.save(s, s.get(User, cast.alice.id), wanted))
    shown = show(cast.alice)
    assert (shown.orders, shown.cart_products, shown.email) == (1, 1, cast.alice.email)
    assert shown.preferences_saved_at is not None and shown.medical_consent_at is not None
    assert show(cast.bob).cart_products == 0


def test_a_browser_counts_until_it_is_signed_out_for_inactivity(session: Session, cast: Cast) -> None:
    sessions.start(session, cast.alice)
    sessions.start(session, cast.alice)
    session.commit()
    assert show(cast.alice).browsers == 2
    row = sessions.list_live(session, cast.alice.id)[0]
    row.last_seen_at = clock.now() - SESSION_IDLE_LIFETIME
    session.add(row)
    session.commit()
    assert show(cast.alice).browsers == 1


def test_guests_have_no_stored_data(session: Session) -> None:
    with pytest.raises(errors.NotSignedIn):
        db.read(lambda s: stored_data.show(s, None))
