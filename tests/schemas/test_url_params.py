"""Invalid parameters of a page's URL are ignored; valid ones still count."""

import pytest

from marketplace_app.schemas.account.account_page import AccountParams
from marketplace_app.schemas.admin.audit import AuditParams
from marketplace_app.schemas.base import parse_params
from marketplace_app.schemas.products.catalogue import CatalogueParams


@pytest.mark.parametrize("page", ["0", "-1", "x", "1e9", ""])
def test_an_invalid_page_number_is_the_first_page_of_the_tab(page: str) -> None:
    assert parse_params(AccountParams, {"tab": "orders", "page": page}) == AccountParams(tab="orders")


def test_unknown_and_several_mangled_parts_do_no_harm() -> None:
    given = {"category": ["Vapes"], "sort": "nonsense", "view": "list", "page": "0", "utm_source": "mail"}
    assert parse_params(CatalogueParams, given) == CatalogueParams(category=["Vapes"], view="list")


def test_a_price_that_is_not_offered_is_ignored() -> None:
    """It would have a chip and count as a ticked filter, and filter nothing."""
    assert parse_params(CatalogueParams, {"price": "Over $500", "type": ["Indica"]}) == CatalogueParams(type=["Indica"])
    assert parse_params(CatalogueParams, {"price": "Over $200"}).query().min_price == 200_00


def test_one_valid_parameter_is_used_among_invalid_ones() -> None:
    assert parse_params(CatalogueParams, {"page": "nine"}) == CatalogueParams()
    assert parse_params(AuditParams, {"from": "someday", "page": "2"}) == AuditParams(page=2)


def test_every_filter_survives_the_url_and_a_backwards_range_keeps_only_its_minimum() -> None:
    given = {"effect": ["Calm"], "brand": ["Hollis & Fern"], "minThc": "15", "maxThc": "22.5", "inStock": "false"}
    params = parse_params(CatalogueParams, given)
    written = [("effect", "Calm"), ("brand", "Hollis & Fern"), ("minThc", "15"), ("maxThc", "22.5")]
    assert params.parameters() == [*written, ("inStock", "false")]
    assert params.range_of("thc") == "15% - 22.5%"
    assert params.toggled("thc", "15% - 22.5%").range_of("thc") == ""
    assert params.toggled("thc", "Over 25%").parameters()[2:] == [("minThc", "25"), ("inStock", "false")]
    assert params.query().max_thc == 22.5
    backwards = parse_params(CatalogueParams, {"minCbd": "5", "maxCbd": "1", "inStock": "perhaps"})
    assert backwards == CatalogueParams(min_cbd=5.0)
