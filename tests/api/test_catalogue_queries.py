"""Queries of the catalogue are read ahead of FastAPI, as FastAPI reads them."""

from typing import Annotated

import pytest
from fastapi import FastAPI, Query
from fastapi.testclient import TestClient
from pydantic import ValidationError

from marketplace_app.api.catalogue_answers import parse_query
from marketplace_app.schemas.products.products import ProductQuery

QUERIES = (
    "",
    "category=Vapes&category=Edibles&category=Pre-Rolls",
    "search=og&search=kush",
    "search=",
    "search=cr%C3%A8me%20br%C3%BBl%C3%A9e",
    "search=a+b%2Bc&exact=true",
    "minPrice=10.50&maxPrice=20",
    "minPrice=",
    "minPrice=ten",
    "minThc=20&maxThc=10",
    "minThc=10&maxThc=20&inStock=false",
    "limit=24&limit=5",
    "limit=0",
    "limit=",
    "offset=-1",
    "inStock=perhaps",
    "sortBy=price&sortOrder=desc",
    "sortBy=best",
    "sort_by=price",
    "unknown=1",
    "category",
    "category=%00",
    "search=%ED%A0%80",
    "&&limit=3&",
    "category=" + "&category=".join(map(str, range(21))),
)


@pytest.fixture(scope="module")
def by_framework() -> TestClient:
    app = FastAPI()

    @app.get("/")
    def read(query: Annotated[ProductQuery, Query()]) -> dict[str, object]:
        return query.model_dump(mode="json")

    return TestClient(app)


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_is_read_as_the_framework_reads_it(by_framework: TestClient, query: str) -> None:
    expected = by_framework.get(f"/?{query}")
    try:
        read = parse_query(ProductQuery, query.encode())
    except ValidationError:
        assert expected.status_code == 422
    else:
        assert expected.json() == read.model_dump(mode="json")
