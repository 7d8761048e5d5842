"""Who and what the tests of runs are about."""

import pytest
from sqlmodel import Session

from marketplace_app.models import Product, Role, User
from tests.builders import make_product, make_user


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=500)
    session.commit()
    return product


@pytest.fixture
def dora(session: Session) -> User:
    """A driver."""
    driver = make_user(session, "dora", role=Role.DRIVER)
    session.commit()
    return driver
