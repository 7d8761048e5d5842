"""Staff see which products lack the weight or THC by which a legal limit counts them: they cannot be ordered while
limits are enforced (RULE uncounted-products).
"""

from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db, errors
from marketplace_app.limits import MAX_UNCOUNTED_SHOWN
from marketplace_app.models import Product
from marketplace_app.schemas.admin.product_list import ProductsParams
from marketplace_app.schemas.admin.products import SegmentCounts
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import QuoteForm
from marketplace_app.services.admin import products, uncounted_products
from marketplace_app.services.buying import quotes
from tests.builders import enforce_rules, make_product, make_rules
from tests.conftest import Cast
from tests.counting import count_statements


def buckets(category: str, measure: str = "weight") -> list[dict[str, Any]]:
    limit = [{"value": 28_500, "source": "test"}]
    counts = [{"category": category, "measure": measure}]
    return [{"code": "flower", "label": "Limit", "days": 1, "limit": limit, "counts": counts}]


def found(session: Session, cast: Cast) -> list[str]:
    return [product.name for product in uncounted_products.find(session, cast.ada).products]


def make_one_of_each_kind(session: Session) -> dict[str, Product]:
    facts: dict[str, dict[str, Any]] = {
        "Neither": {},
        "Weighed": {"net_weight_grams": 3.5},
        "With THC": {"thc_mg": 100},
        "Archived": {"is_active": False},
    }
    return {name: make_product(session, name, category="THC Flower", **each) for name, each in facts.items()}


def test_products_without_the_measure_of_a_limit_are_listed(session: Session, cast: Cast) -> None:
    make_one_of_each_kind(session)
    make_rules(session, buckets=buckets("THC Flower"))
    assert found(session, cast) == ["Neither", "With THC"]
    make_rules(session, "CA", buckets=buckets("THC Flower", "thc"))
    assert found(session, cast) == ["Neither", "Weighed", "With THC"]


def test_only_the_versions_that_count_today_matter(session: Session, cast: Cast) -> None:
    make_one_of_each_kind(session)
    make_rules(session, days_ago=30, buckets=buckets("THC Flower"))
    make_rules(session, "CA", days_ago=-1, buckets=buckets("THC Flower"))
    make_rules(session, "NY", is_reviewed=False, buckets=buckets("THC Flower"))
    assert found(session, cast) == ["Neither", "With THC"]
    make_rules(session, days_ago=1)
    assert found(session, cast) == []


def test_products_in_other_categories_are_not_listed(session: Session, cast: Cast) -> None:
    make_one_of_each_kind(session)
    make_rules(session, buckets=buckets("Edibles"))
    assert found(session, cast) == []


def test_of_many_products_the_first_are_listed_and_all_counted(session: Session, cast: Cast) -> None:
    for number in range(MAX_UNCOUNTED_SHOWN + 2):
        make_product(session, f"Product {number:02}", category="THC Flower")
    make_rules(session, buckets=buckets("THC Flower"))
    first = uncounted_products.find(session, cast.ada)
    assert [each.name for each in first.products] == [f"Product {number:02}" for number in range(MAX_UNCOUNTED_SHOWN)]
    assert first.total == MAX_UNCOUNTED_SHOWN + 2


@pytest.mark.parametrize("measure", ["weight", "thc"])
def test_exactly_the_listed_products_cannot_be_ordered(session: Session, cast: Cast, measure: str) -> None:
    made = make_one_of_each_kind(session)
    make_rules(session, buckets=buckets("THC Flower", measure))
    enforce_rules(session)
    session.commit()
    sold = {name: product.id for name, product in made.items() if product.is_active}
    refused = []
    for name, product_id in sold.items():
        form = parse(QuoteForm, {"items": [{"productId": product_id, "quantity": 1}], "zip": "97201", "state": "OR"})
        quote = quotes.make(session, cast.alice, form)
        if any(blocker.code == "limit_unknown" for blocker in quote.blockers):
            refused.append(name)
    assert refused == found(session, cast)


def test_shoppers_may_not_read_the_list(session: Session, cast: Cast) -> None:
    with pytest.raises(errors.NotAllowed):
        uncounted_products.find(session, cast.alice)


def test_one_statement_counts_the_segments_and_says_whether_rules_are_enforced(
    engine: Engine, session: Session, cast: Cast
) -> None:
    def counts() -> SegmentCounts:
        return db.read(lambda fresh: products.count_segments(fresh, cast.ada, parse(ProductsParams, {}).query()))

    with count_statements(engine) as statements:
        assert counts().are_rules_enforced is False
    assert len([each for each in statements if "FROM products" in each or "shop_settings" in each]) == 1
    enforce_rules(session)
    session.commit()
    assert counts().are_rules_enforced is True
