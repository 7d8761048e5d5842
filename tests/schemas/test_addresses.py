"""What is mangled in an address asks for nothing; what is not still counts."""

import pytest

from marketplace_app.schemas.account_page import AccountAddress
from marketplace_app.schemas.audit import AuditAddress
from marketplace_app.schemas.base import parse_address
from marketplace_app.schemas.catalogue import CatalogueAddress


@pytest.mark.parametrize("page", ["0", "-1", "x", "1e9", ""])
def test_a_page_that_cannot_be_is_the_first_of_the_same_tab(page: str) -> None:
    assert parse_address(AccountAddress, {"tab": "orders", "page": page}) == AccountAddress(tab="orders")


def test_unknown_and_several_mangled_parts_do_no_harm() -> None:
    given = {"category": ["Vapes"], "sort": "nonsense", "view": "list", "page": "0", "utm_source": "mail"}
    assert parse_address(CatalogueAddress, given) == CatalogueAddress(category=["Vapes"], view="list")


def test_one_part_right_and_nothing_else() -> None:
    assert parse_address(CatalogueAddress, {"page": "nine"}) == CatalogueAddress()
    assert parse_address(AuditAddress, {"from": "someday", "page": "2"}) == AuditAddress(page=2)
