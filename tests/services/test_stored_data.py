"""What the page on stored data counts is the user's own, and nobody else's."""

import pytest
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.limits import SESSION_IDLE_LIFETIME
from marketplace_app.models import Product, User
from marketplace_app.schemas.account.addresses import SavedAddressForm
from marketplace_app.schemas.account.preferences import PreferencesForm
from marketplace_app.schemas.account.stored_data import StoredDataView
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.schemas.tickets import TicketForm
from marketplace_app.services import privacy, sessions, stored_data
from marketplace_app.services.account import addresses, preferences
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.buying import cart, orders
from marketplace_app.services.support import tickets
from tests.builders import give_credit, make_product, order_form
from tests.conftest import Cast
from tests.services.account.test_addresses import HOME
from tests.services.support.test_tickets import LATE


def show(who: User) -> StoredDataView:
    return db.read(lambda s: stored_data.show(s, s.get(User, who.id)))


def counts(who: User) -> tuple[int, ...]:
    shown = show(who)
    return shown.orders, shown.cart_products, shown.tickets, shown.addresses, shown.credit_cents


def store_one_of_each(who: User, product: Product, *, credit_cents: int) -> None:
    def store(session: Session) -> None:
        user = session.get_one(User, who.id)
        orders.place(session, user, order_form((product, 1)), key=None)
        cart.add(session, user, parse(AddForm, {"productId": product.id, "quantity": 2}))
        tickets.create(session, user, parse(TicketForm, LATE))
        addresses.add(session, user, parse(SavedAddressForm, HOME | {"label": product.name}))
        give_credit(session, user, credit_cents)

    db.write(store)


def test_only_the_users_own_data_is_counted(session: Session, cast: Cast) -> None:
    fern, lark = (make_product(session, name, price_cents=120_00, stock=9) for name in ("Fern Hollow", "Larkspur"))
    session.commit()
    assert counts(cast.alice) == counts(cast.bob) == (0, 0, 0, 0, 0)
    store_one_of_each(cast.alice, fern, credit_cents=5_00)
    for product in (fern, lark):
        store_one_of_each(cast.bob, product, credit_cents=7_00)
    assert (counts(cast.alice), counts(cast.bob)) == ((1, 1, 1, 1, 5_00), (2, 2, 2, 2, 14_00))
    assert (show(cast.alice).email, show(cast.bob).email) == (cast.alice.email, cast.bob.email)


def test_what_is_counted_is_what_the_export_has(session: Session, cast: Cast) -> None:
    """Also an order that staff have deleted, and a ticket that was written as a guest from the verified address."""
    fern = make_product(session, "Fern Hollow", price_cents=120_00, stock=9)
    session.commit()
    store_one_of_each(cast.alice, fern, credit_cents=5_00)
    order_id = db.write(lambda s: orders.place(s, s.get(User, cast.alice.id), order_form((fern, 1)), key=None))["id"]
    db.write(lambda s: admin_orders.delete(s, s.get(User, cast.ada.id), str(order_id)))
    as_guest = parse(TicketForm, LATE | {"customerEmail": cast.alice.verified_email})
    db.write(lambda s: tickets.create(s, None, as_guest))
    exported = db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))
    shown = show(cast.alice)
    assert (shown.orders, shown.tickets) == (len(exported["orders"]), len(exported["tickets"])) == (2, 2)


def test_the_dates_of_preferences_and_consent_are_the_users_own(session: Session, cast: Cast) -> None:
    wanted = parse(PreferencesForm, {"medicalConsent": True, "medicalNeeds": ["Stress"]})
    db.write(lambda s: preferences.save(s, s.get(User, cast.bob.id), wanted))
    nothing, saved = show(cast.alice), show(cast.bob)
    assert (nothing.preferences_saved_at, nothing.medical_consent_at) == (None, None)
    assert saved.preferences_saved_at is not None and saved.medical_consent_at is not None


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
