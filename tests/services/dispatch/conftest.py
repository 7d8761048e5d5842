"""The driver, the product and the zone of the tests of dispatch."""

import pytest
from sqlmodel import Session

from marketplace_app.models import Product, Role, User
from tests.builders import make_product, make_user, make_zone


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=500)
    session.commit()
    return product


@pytest.fixture
def zone(session: Session) -> None:
    """Orders of its ZIP code have door PINs."""
    make_zone(session, "97201")
    session.commit()


@pytest.fixture
def dora(session: Session) -> User:
    """A driver."""
    driver = make_user(session, "dora", role=Role.DRIVER)
    session.commit()
    return driver
