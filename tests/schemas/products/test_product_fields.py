"""A product's field is declared in the schema and labelled; the CSV, the owner's form and the API follow from that."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from pydantic.alias_generators import to_camel
from reflex_components_core.el.elements import forms
from sqlalchemy import CheckConstraint
from sqlmodel import Session

from marketplace_app import money
from marketplace_app.components.admin.products.product_form import _options
from marketplace_app.errors import InvalidInput
from marketplace_app.models import Product
from marketplace_app.pages.admin.product_editor import product_editor
from marketplace_app.schemas.admin import product_csv
from marketplace_app.schemas.admin.products import AdminProductAnswer, AdminProductView, snapshot
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.product_fields import COLUMN_OF, FACTS, ProductForm
from marketplace_app.schemas.products.product_labels import LABELS, FormPanel, Kind, of_kind
from marketplace_app.schemas.products.products import ProductAnswer, view_of
from marketplace_app.services.admin import products as admin_products
from marketplace_app.states.admin.products.product_form import (
    CHECKBOX_OPTIONS,
    ProductFormData,
    flags_of,
    values_of,
    wire_of,
)
from marketplace_app.states.products.product import _facts
from tests.builders import make_product

FIELDS = sorted({*ProductForm.model_fields, *LABELS})
STORE_FILLS = {"id", "sort_name", "image", "has_batches", "rating_tenths", "review_count", "created_at", "updated_at"}
"""Columns that the store fills in itself, or from a file."""
NOT_SHOWN = {"stock", "active"}
"""Shoppers see only whether a product is in stock, and only active products."""
SHOWN_WITHOUT_ROW = {
    *("name", "description", "price", "category", "type", "potency", "strain"),
    *("thc_mg", "sku", "ingredients", "featured"),
}
"""Other parts of the product page show these, or nothing does, such as the SKU."""
DOCS = Path("docs")


def complete_wire() -> dict[str, Any]:
    """The JSON of a form with every field filled in."""
    flags = {name: True for name, each in LABELS.items() if each.kind is Kind.FLAG}
    examples = {name: each.example for name, each in LABELS.items() if each.example is not None}
    return {to_camel(name): value for name, value in (examples | flags).items()}


def complete_form() -> ProductForm:
    try:
        return parse(ProductForm, complete_wire())
    except InvalidInput as error:
        pytest.fail(f"`ProductForm` refuses the examples of `LABELS`: {error.fields}")


def as_json(wire: dict[str, Any]) -> str:
    try:
        return json.dumps(wire)
    except TypeError as error:
        pytest.fail(
            f"`facts_wire` in schemas/products/product_fields.py leaves a value that JSON does not have: {error}"
        )


@pytest.fixture
def view(session: Session) -> AdminProductView:
    """A product with every field filled in."""
    columns = complete_form().columns()
    made = make_product(session, **columns, stock=LABELS["stock"].example)
    session.flush()
    return admin_products.view(session, made.id)


@pytest.fixture(scope="module")
def controls() -> set[str]:
    """The names of all controls of the owner's page."""
    found = [forms._get_static_string_prop(each, "name") for each in forms._iter_form_components(product_editor())]
    return {str(name) for name in found if name}


def test_every_field_has_an_example() -> None:
    without = {name for name, each in LABELS.items() if each.example in (None, "") and each.kind is not Kind.FLAG}
    assert not without, f"Give these an example in `LABELS`, as an owner would fill them in: {without}"


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_is_in_every_place_that_needs_it(name: str, controls: set[str]) -> None:
    column, wire_name = COLUMN_OF.get(name, name), to_camel(name)
    is_shown = name not in NOT_SHOWN
    rule = (DOCS / "product/catalogue.md").read_text().partition("### RULE product-fields")[2].partition("###")[0]
    declared = {
        "the table: give `Product` in models/products.py the column": column in Product.model_fields,
        "the form: give `ProductForm` in schemas/products/product_fields.py the field": name
        in ProductForm.model_fields,
        "the facts that shoppers see: give `ProductFacts` in schemas/products/product_fields.py the field": column
        in FACTS
        or not is_shown,
        "the labels: give `LABELS` in schemas/products/product_labels.py a line": name in LABELS,
        "the rule: docs/product/catalogue.md, RULE product-fields": f"`{wire_name}`" in rule,
        "the table of columns: docs/products-csv.md": f"`{wire_name}`" in (DOCS / "products-csv.md").read_text(),
    }
    derived = {
        "the CSV: `COLUMNS` in schemas/admin/product_csv.py": wire_name in product_csv.COLUMNS,
        "the owner's form: components/admin/products/product_form.py": wire_name in controls,
        "the answer to staff: `AdminProductAnswer`": name in AdminProductAnswer.model_fields,
        "the answer to shoppers: `ProductAnswer`": name in ProductAnswer.model_fields or not is_shown,
    }
    for places in (declared, derived):
        missing = [place for place, has_it in places.items() if not has_it]
        assert not missing, f"The product field `{name}` is missing from " + "; ".join(missing)


def test_every_column_is_filled_in_by_somebody() -> None:
    filled_in = {COLUMN_OF.get(name, name) for name in ProductForm.model_fields}
    unfilled = set(Product.model_fields) - filled_in - STORE_FILLS
    assert not unfilled, f"No owner can fill in {unfilled}: add it to `ProductForm`, or here to `STORE_FILLS`"


def test_every_field_survives_a_round_trip_unchanged(view: AdminProductView) -> None:
    """Its kind in `LABELS` fits its type: as CSV, as the form of the owner's page and as JSON."""
    sheet = product_csv.read_sheet((product_csv.header() + product_csv.rows_of([view])).encode())
    assert not sheet.errors and not sheet.lines[0].cell_errors
    browser: Any = values_of(view) | flags_of(view) | {name: view.form_wire()[name] for name in CHECKBOX_OPTIONS}
    for name, sent in (("CSV", sheet.lines[0].given), ("form", wire_of(ProductFormData(browser), None))):
        assert parse(ProductForm, sent) == complete_form(), f"The {name} changes a value"
    assert view.form_wire() == complete_wire(), "`facts_wire` in schemas/products/product_fields.py changes a value"


def _takes(field: str, value: Any) -> bool:
    """Whether the form takes the value and leaves it as it is; an empty choice, for example, becomes None."""
    try:
        return bool(getattr(parse(ProductForm, complete_wire() | {to_camel(field): value}), field) == value)
    except InvalidInput:
        return False


def _boundary_values(check: str) -> list[Any]:
    """Values around each number in the condition, as numbers and as lengths of a text, and an empty text."""
    numbers = {edge + step for edge in map(int, re.findall(r"\b\d+\b", check)) for step in (-1, 0, 1)}
    return [*numbers, *("x" * length for length in numbers if length >= 0), ""]


def test_the_form_refuses_what_the_table_would_refuse() -> None:
    """Otherwise the owner sees an unexpected error. Of conditions on a single column."""
    field_of = {COLUMN_OF.get(name, name): name for name in ProductForm.model_fields}
    table: Any = Product.__table__
    refused, accepted = set(), []
    with sqlite3.connect(":memory:") as database:
        for condition in (str(each.sqltext) for each in table.constraints if isinstance(each, CheckConstraint)):
            columns = set(re.findall(r"[a-z_]+", condition)) & field_of.keys()
            if len(columns) != 1:
                continue
            [column] = columns
            field, is_text = field_of[column], Product.model_fields[column].annotation not in (int, float)
            for value in _boundary_values(condition):
                query = f"SELECT {condition} FROM (SELECT ? AS {column})"
                if isinstance(value, str) == is_text and database.execute(query, (value,)).fetchone()[0] == 0:
                    refused.add(field)
                    wire = money.decimal(value) if LABELS[field].kind is Kind.MONEY else value
                    accepted += [(field, value)] if _takes(field, wire) else []
    assert {"name", "price", "stock"} <= refused
    assert accepted == [], "`ProductForm` takes these, but the table does not"


def test_every_text_says_how_long_it_may_be() -> None:
    silent = {name for name in of_kind(Kind.LINE, Kind.PROSE) if not LABELS[name].sentence}
    assert not silent, f"Give these a `sentence` in `LABELS`: {silent}"


def test_a_text_of_one_line_stays_one_line() -> None:
    """Line breaks would end the line of a mail or a sheet early."""
    several = {name for name in of_kind(Kind.LINE) if _takes(name, "a\r\nb")}
    assert not several, f"Give these `AfterValidator(one_line)` in `ProductForm`: {several}"


def test_every_fact_is_a_row_of_the_product_page_or_shown_elsewhere() -> None:
    without = {name for name, each in LABELS.items() if not each.row} - NOT_SHOWN
    assert without == SHOWN_WITHOUT_ROW, "Give these a `row` in `LABELS`, or show them and add them to this list"


def may_be_empty(name: str) -> bool:
    try:
        parse(ProductForm, complete_wire() | {to_camel(name): ""})
    except InvalidInput:
        return False
    return True


@pytest.mark.parametrize("name", [name for name in of_kind(Kind.CHOICE) if LABELS[name].options])
def test_the_owners_form_has_an_empty_option_exactly_where_the_field_may_be_empty(name: str) -> None:
    """Otherwise saving a product would fill in its first option."""
    assert ("" in dict(_options(name))) == may_be_empty(name)


def test_no_field_that_may_be_empty_is_called_required() -> None:
    required = {name for name, each in LABELS.items() if "required" in each.sentence}
    assert required
    assert {name for name in required if may_be_empty(name)} == set()


def test_every_answer_is_as_documented(session: Session, view: AdminProductView) -> None:
    """`_JSON_TYPES` and `facts_wire` agree, also on a product of which nothing optional is known."""
    bare = make_product(session, "Bare")
    session.flush()
    for id in (view.id, bare.id):
        AdminProductAnswer.model_validate_json(as_json(admin_products.view(session, id).wire()), strict=True)
        ProductAnswer.model_validate_json(as_json(view_of(session.get_one(Product, id)).wire()), strict=True)


def test_the_product_page_shows_every_field_that_has_a_row(session: Session, view: AdminProductView) -> None:
    shown = dict(_facts(view_of(session.get_one(Product, view.id))))
    bad = {name for name, each in LABELS.items() if each.row and not isinstance(shown.get(each.row), str)}
    assert not bad, f"`_format_value` in states/products/product.py gives no text for {bad}"


def test_the_audit_trail_can_keep_every_field(session: Session, view: AdminProductView) -> None:
    kept = snapshot(session.get_one(Product, view.id))
    bad = {name for name, value in kept.items() if not isinstance(value, str | int | float | list | None)}
    assert not bad, f"`snapshot` in schemas/admin/products.py keeps values that JSON cannot hold: {bad}"


def test_flags_are_exactly_the_fields_of_the_visibility_panel() -> None:
    """The owner's form shows check boxes in that panel, and nothing else."""
    assert {
        name for name, each in LABELS.items() if (each.kind is Kind.FLAG) != (each.panel is FormPanel.VISIBILITY)
    } == set()
