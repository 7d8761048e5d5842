"""The driver, the product and the zone of the tests of cash."""

from tests.services.dispatch.conftest import dora, fern, zone

__all__ = ["dora", "fern", "zone"]  # fixtures, which tests take by name
