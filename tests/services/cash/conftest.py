"""A driver, a product and a day of the shop's cash."""

from tests.services.dispatch.conftest import dora
from tests.services.dispatch.test_paper import fern

__all__ = ["dora", "fern"]  # fixtures, which tests take by name
