"""Invalid parameters of a page's URL are ignored; valid ones still count."""

from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest

from marketplace_app.schemas.account.account_page import AccountParams
from marketplace_app.schemas.admin.audit import AuditParams
from marketplace_app.schemas.base import parse, parse_params
from marketplace_app.schemas.controls import PageNumber
from marketplace_app.schemas.products.catalogue import MULTIPLE, URL_PARAMETERS, CatalogueParams


@pytest.mark.parametrize("page", ["0", "-1", "x", "1e9", ""])
def test_an_invalid_page_number_is_the_first_page_of_the_tab(page: str) -> None:
    assert parse_params(AccountParams, {"tab": "orders", "page": page}) == AccountParams(tab="orders")


def test_unknown_and_invalid_parameters_are_ignored_and_the_others_count() -> None:
    given = {
        "category": ["Vapes"],
        "sort": "nonsense",
        "view": "list",
        "page": "0",
        "inStock": "perhaps",
        "utm_source": "mail",
    }
    assert parse_params(CatalogueParams, given) == CatalogueParams(category=["Vapes"], view="list")


def test_a_price_that_is_not_offered_is_ignored() -> None:
    """Otherwise it would have a chip and count as a ticked filter, but filter nothing."""
    assert parse_params(CatalogueParams, {"price": "Over $500", "type": ["Indica"]}) == CatalogueParams(type=["Indica"])
    assert parse_params(CatalogueParams, {"price": "Over $200"}).query().min_price == 200_00


def test_one_valid_parameter_is_used_among_invalid_ones() -> None:
    given = {"dayFrom": "someday", "dayTo": "tomorrow", "page": "2"}
    assert parse_params(AuditParams, given) == AuditParams(page=2)


def test_filters_survive_the_url() -> None:
    given: dict[str, Any] = dict.fromkeys(MULTIPLE, ["Calm", "Hollis & Fern"])
    given |= {"minThc": "15", "maxThc": "22.5", "minCbd": "0", "maxCbd": "1", "inStock": "false", "price": "Over $200"}
    given |= {"search": "quiet meadow", "sort": "newest", "view": "list", "page": "2", "exact": "1"}
    params = parse_params(CatalogueParams, given)
    assert {name for name, _ in params.parameters()} == {*URL_PARAMETERS}
    url = urlencode(params.parameters())
    assert parse_params(CatalogueParams, CatalogueParams.values_of_query(parse_qs(url))) == params


def test_a_range_is_toggled() -> None:
    params = CatalogueParams(min_thc=15, max_thc=22.5)
    assert params.range_of("thc") == "15% - 22.5%"
    assert params.query().max_thc == 22.5
    assert params.toggled("thc", "15% - 22.5%").range_of("thc") == ""
    assert params.toggled("thc", "Over 25%").parameters() == [("minThc", "25")]


def test_a_backwards_range_keeps_only_its_minimum() -> None:
    assert parse_params(CatalogueParams, {"minCbd": "5", "maxCbd": "1"}) == CatalogueParams(min_cbd=5.0)


def test_a_list_is_paged_through_to_the_last_offset_that_is_read() -> None:
    """The audit trail of a few years has more than a quarter of a million entries."""
    assert parse_params(AuditParams, {"page": "40000"}).query().offset == 999_975
    assert parse(PageNumber, {"page": 40_000}).page == 40_000
    assert parse_params(AuditParams, {"page": "40001"}) == AuditParams()
