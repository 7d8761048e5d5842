"""Products in and out by CSV: docs/products-csv.md."""

import csv
import io
import json
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app.adapters import request_ids
from marketplace_app.jobs import seed
from marketplace_app.models import AuditEntry, Category, Product, StockMovement, StockReason
from marketplace_app.schemas.admin.product_csv import COLUMNS
from marketplace_app.services.admin import product_csv
from tests.builders import make_product

LINE = {
    "sku": "FLW-77",
    "name": "Quiet Meadow",
    "description": "Hay and chamomile.",
    "price": "48.50",
    "category": "THC Flower",
    "type": "Indica",
    "potency": "",
    "stock": "12",
    "featured": "false",
    "active": "true",
    "brand": "Stillroom",
    "strain": "Indica",
    "thcPercent": "22.5",
    "cbdPercent": "0.1",
    "thcMg": "",
    "netWeightGrams": "3.5",
    "effects": "Calm|Happy",
    "flavors": "Pine",
    "terpenes": "",
    "ingredients": "Cured flower.",
}
FORMULAS = ("one, and two", "=1+1", "+49", "-2", "@SUM(A1)", "'quoted", "''=x", "'=x", "＝1")


def sheet(*lines: dict[str, str], columns: tuple[str, ...] = COLUMNS) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(LINE | line for line in lines)
    return text.getvalue().encode()


def send(ada: TestClient, content: bytes, *, dry_run: bool = False) -> httpx.Response:
    query = {"dryRun": str(dry_run).lower()}
    return ada.post("/api/admin/products/import", params=query, files={"file": ("products.csv", content)})


def counts(answer: httpx.Response) -> tuple[int, int, int]:
    body = answer.json()
    return body["created"], body["updated"], body["unchanged"]


def errors(answer: httpx.Response) -> list[tuple[int, str]]:
    return [(error["line"], error["column"]) for error in answer.json()["errors"]]


def count_products(session: Session) -> int:
    count = session.execute(select(func.count()).select_from(Product)).scalar_one()
    session.rollback()  # SQLite has one writer, and this session counts as one
    return int(count)


def test_an_import_creates_and_updates_products_and_leaves_others_alone(
    ada: TestClient, client: TestClient, session: Session
) -> None:
    first = send(ada, sheet(LINE, {"sku": "FLW-78", "name": "Loud Meadow", "stock": "0"}))
    assert (first.status_code, counts(first), first.json()["errors"]) == (200, (2, 0, 0), [])
    assert [p["name"] for p in client.get("/api/products", params={"search": "meadow"}).json()] == [
        "Quiet Meadow",
        "Loud Meadow",
    ]
    again = send(
        ada, sheet({"name": "Silent Meadow", "stock": "9"}, {"sku": "FLW-78", "name": "Loud Meadow", "stock": "0"})
    )
    assert counts(again) == (0, 1, 1)
    assert [p["name"] for p in client.get("/api/products", params={"search": "silent"}).json()] == ["Silent Meadow"]
    assert client.get("/api/products", params={"search": "quiet"}).json() == []
    moved = select(col(StockMovement.change), col(StockMovement.reason)).order_by(col(StockMovement.id))
    assert session.execute(moved).all() == [(12, StockReason.IMPORT), (-3, StockReason.IMPORT)]
    entries = session.execute(select(AuditEntry).order_by(col(AuditEntry.id))).scalars().all()
    assert [(each.action, each.details) for each in entries] == [
        ("products.imported", {"created": 2, "updated": 0, "unchanged": 0}),
        ("products.imported", {"created": 0, "updated": 1, "unchanged": 1}),
    ]


def test_a_dry_run_reports_what_an_import_does_and_writes_nothing(ada: TestClient, session: Session) -> None:
    make_product(session, sku="FLW-77")
    session.commit()
    lines = sheet({"name": "Another"}, {"sku": "FLW-78"})
    tried = send(ada, lines, dry_run=True)
    assert (tried.status_code, counts(tried)) == (200, (1, 1, 0))
    assert count_products(session) == 1
    assert session.execute(select(func.count()).select_from(AuditEntry)).scalar_one() == 0
    session.rollback()
    assert send(ada, lines).json() == tried.json()


def test_changes_are_reported_cell_by_cell(ada: TestClient, session: Session) -> None:
    make_product(session, sku="FLW-77", name="Fern Hollow", price_cents=48_00, stock=5, effects=["Calm"])
    make_product(session, sku="FLW-79", name="Same As Ever", price_cents=20_00)
    session.commit()
    wanted = b"sku,price,stock,effects\nFLW-77,51.00,7,Calm|Happy\nFLW-79,20.00,%d,\n" % _stock(session, "FLW-79")
    preview = send(ada, wanted, dry_run=True).json()
    assert preview["changes"] == [
        {"line": 2, "sku": "FLW-77", "column": "price", "before": "48.00", "after": "51.00"},
        {"line": 2, "sku": "FLW-77", "column": "stock", "before": "5", "after": "7"},
        {"line": 2, "sku": "FLW-77", "column": "effects", "before": "Calm", "after": "Calm|Happy"},
    ]
    assert send(ada, wanted).json()["changes"] == preview["changes"]
    assert send(ada, wanted).json()["changes"] == []
    assert send(ada, sheet({"sku": "NEW-1"}), dry_run=True).json()["changes"] == [
        {"line": 2, "sku": "NEW-1", "column": "", "before": "", "after": "Quiet Meadow"}
    ]


def test_a_derived_potency_is_no_change(ada: TestClient, session: Session) -> None:
    send(ada, sheet({"potency": ""}))
    assert send(ada, sheet({"potency": "", "name": "Other"}), dry_run=True).json()["changes"] == [
        {"line": 2, "sku": "FLW-77", "column": "name", "before": "Quiet Meadow", "after": "Other"}
    ]


def test_only_the_first_of_many_changes_are_reported(ada: TestClient) -> None:
    many = send(ada, sheet(*[{"sku": f"N-{number}"} for number in range(1_001)]), dry_run=True)
    assert (counts(many), len(many.json()["changes"])) == ((1_001, 0, 0), 1_000)


def _stock(session: Session, sku: str) -> int:
    stock = session.execute(select(col(Product.stock)).where(col(Product.sku) == sku)).scalar_one()
    session.rollback()
    return int(stock)


def test_all_mistakes_of_a_line_are_reported_together(ada: TestClient) -> None:
    wrong = sheet({"price": "abc", "category": "Nope", "type": "Foo", "stock": "x"})
    assert sorted(errors(send(ada, wrong))) == [(2, "category"), (2, "price"), (2, "stock"), (2, "type")]


@pytest.mark.parametrize("column", ["name", "description", "brand", "flavors"])
@pytest.mark.parametrize("start", ["=1+1", "+49", "-2", "@SUM(A1)", "＝1"])
def test_a_formula_is_reported_unless_it_is_marked_as_text(
    ada: TestClient, session: Session, column: str, start: str
) -> None:
    refused = send(ada, sheet({column: start}))
    assert (refused.status_code, errors(refused), count_products(session)) == (422, [(2, column)], 0)
    assert counts(send(ada, sheet({column: f"'{start}"}))) == (1, 0, 0)


def test_a_field_whose_column_is_left_out_keeps_its_value(ada: TestClient, session: Session) -> None:
    fern = make_product(session, sku="FLW-77", stock=5, brand="Stillroom")
    session.commit()
    assert counts(send(ada, b"sku,price\nFLW-77,51.00\n")) == (0, 1, 0)
    session.refresh(fern)
    assert (fern.price_cents, fern.stock, fern.brand, fern.name) == (51_00, 5, "Stillroom", "Fern Hollow")
    session.rollback()
    new = send(ada, b"sku,price\nFLW-99,51.00\n", dry_run=True)
    assert errors(new) == [(2, name) for name in ("name", "description", "category", "type", "stock")]


def test_an_export_can_be_imported_unchanged(ada: TestClient, session: Session) -> None:
    for number, text in enumerate(FORMULAS):
        make_product(session, text, sku=f"F-{number}", description=f'{text}\nnext, "line"', brand=text, flavors=[text])
    make_product(session, sku="OFF", is_active=False, thc_percent=22.123456, thc_mg=100, effects=["Calm", "Happy"])
    make_product(session, sku="PRECISE", thc_percent=22.47191011235955, cbd_percent=0.00005)
    session.commit()
    before = [row.model_dump() for row in session.execute(select(Product).order_by(col(Product.id))).scalars()]
    session.rollback()
    exported = ada.get("/api/admin/products/export")
    assert exported.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert counts(send(ada, exported.content)) == (0, 0, len(FORMULAS) + 2)
    session.execute(StockMovement.__table__.delete())  # type: ignore[attr-defined]
    for product in session.execute(select(Product)).scalars():
        session.delete(product)
    session.commit()
    assert counts(send(ada, exported.content)) == (len(FORMULAS) + 2, 0, 0)
    session.expire_all()
    after = [row.model_dump() for row in session.execute(select(Product).order_by(col(Product.sku))).scalars()]
    not_exported = ("image", "rating_tenths", "review_count", "id", "created_at", "updated_at")
    assert [{name: value for name, value in row.items() if name not in not_exported} for row in after] == [
        {name: value for name, value in row.items() if name not in not_exported}
        for row in sorted(before, key=lambda row: row["sku"])
    ]


def test_no_exported_cell_is_a_formula(ada: TestClient, session: Session) -> None:
    for number, text in enumerate(FORMULAS):
        make_product(session, text, sku=f"F-{number}", description=text, ingredients=text, effects=[text])
    session.commit()
    for row in csv.reader(io.StringIO(ada.get("/api/admin/products/export").text.removeprefix("\ufeff"))):
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@", "＝"))]


def test_importing_an_export_of_the_demo_store_changes_nothing(ada: TestClient, session: Session) -> None:
    for name in {entry["category"] for entry in seed.read_demo()} - {"THC Flower", "Edibles"}:
        session.add(Category(name=name))
    session.flush()
    for age, entry in enumerate(seed.read_demo()):
        seed._add(session, entry, age)
    session.commit()
    exported = ada.get("/api/admin/products/export").content
    assert counts(send(ada, exported)) == (0, 0, len(seed.read_demo()))


def test_three_bad_lines_of_two_thousand_stop_the_import(ada: TestClient, session: Session) -> None:
    lines: list[dict[str, str]] = [{"sku": f"FLW-{number:04d}"} for number in range(2_000)]
    lines[9]["price"], lines[99]["stock"], lines[1999]["type"] = "cheap", "-1", "Liquid"
    tried = send(ada, sheet(*lines), dry_run=True)
    assert (tried.status_code, counts(tried)) == (200, (1_997, 0, 0))
    assert errors(tried) == [(11, "price"), (101, "stock"), (2001, "type")]
    refused = send(ada, sheet(*lines))
    assert (refused.status_code, refused.json()["code"], counts(refused)) == (422, "import_refused", (0, 0, 0))
    assert refused.json()["errors"] == tried.json()["errors"]
    assert count_products(session) == 0
    for index, name in ((9, "price"), (99, "stock"), (1999, "type")):
        del lines[index][name]
    assert counts(send(ada, sheet(*lines))) == (2_000, 0, 0)


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        (b"", None, "file is required"),
        (b"\n\n", (1, "sku"), "missing"),
        (b"name,price\nFern,1.00\n", (1, "sku"), "missing"),
        (b"sku,colour\nFLW-1,red\n", (1, "colour"), "no such column"),
        (b"sku,price,price\nFLW-1,1.00,1.00\n", (1, "price"), "twice"),
        (b"sku;name;price\nFLW-1;Fern;1.00\n", (1, ""), "separated by commas"),
        (b"sku,price\n", (1, ""), "no products"),
        ("sku,price\nFLW-1,1.00\n".encode("utf-16"), (1, ""), "UTF-16"),
        (b"sku,name\nFLW-1,Fern\nFLW-2,Cr\xe8me\n", (3, ""), "not UTF-8"),
        (b"\xef\xbb\xbfsku,name\n\xe8-1,Fern\n", (2, ""), "not UTF-8"),
        (b"PK\x03\x04workbook", (1, ""), "workbook"),
        (b"sku,name\nFLW-1,Fe\x00rn\n", (2, ""), "not a text file"),
        (b'sku,name\nFLW-1,"Fern\n', (2, ""), "cannot be read as CSV"),
        (b"sku,name\nFLW-1\n", (2, ""), "as many cells as there are columns: 1 instead of 2."),
        (b"sku,price\nFLW-1,1.00\n\nFLW-1,2.00\n", (4, "sku"), "already on line 2"),
        (b"sku,price\n,1.00\n", (2, "sku"), "required"),
    ],
)
def test_an_invalid_csv_file_is_explained(
    ada: TestClient, session: Session, content: bytes, place: tuple[int, str] | None, words: str
) -> None:
    make_product(session, sku="FLW-1")
    session.commit()
    tried, refused = send(ada, content, dry_run=True), send(ada, content)
    assert refused.status_code == 422
    if place is None:
        assert words in refused.json()["message"]
        return
    assert tried.status_code == 200
    last = tried.json()["errors"][-1]
    assert ((last["line"], last["column"]), words in last["message"]) == (place, True), last
    session.expire_all()
    assert session.execute(select(col(Product.price_cents))).scalars().all() == [60_00]


@pytest.mark.parametrize(
    ("cell", "column"),
    [
        ({"sku": "has space"}, "sku"),
        ({"price": "$5.00"}, "price"),
        ({"price": ""}, "price"),
        ({"category": "Seeds"}, "category"),
        ({"stock": "1.5"}, "stock"),
        ({"stock": ""}, "stock"),
        ({"featured": "maybe"}, "featured"),
        ({"thcPercent": "strong"}, "thcPercent"),
        ({"thcMg": "1e3"}, "thcMg"),
        ({"effects": "a" * 41}, "effects"),
    ],
)
def test_a_bad_cell_is_named(ada: TestClient, cell: dict[str, str], column: str) -> None:
    tried = send(ada, sheet(LINE, {"sku": "FLW-78"} | cell), dry_run=True)
    assert errors(tried) == [(3, column)]


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ({"price": "$49"}, '"$49" is not a price. Write 49.00.'),
        ({"price": "$1,234.50"}, '"$1,234.50" is not a price. Write 1234.50.'),
        ({"price": "12,50"}, '"12,50" is not a price. Write 12.50.'),
        ({"price": "1.234,50"}, '"1.234,50" is not a price. Write one such as 49.00.'),
        ({"price": "1 234"}, '"1 234" is not a price. Write one such as 49.00.'),
        ({"price": "$1.999"}, '"$1.999" is not a price. Write one such as 49.00.'),
        ({"price": "-12,50"}, '"-12,50" is not a price. Write one such as 49.00.'),
        ({"price": "cheap"}, '"cheap" is not a price. Write one such as 49.00.'),
        ({"name": ""}, "Name is empty."),
        ({"thcPercent": "22%"}, '"22%" is not a number. Write 22.'),
        ({"thcPercent": "220"}, '"220" cannot be used. THC must be between 0 and 100 percent.'),
        ({"stock": "many"}, '"many" is not a whole number. Write one such as 40.'),
        ({"thcMg": "1e3"}, '"1e3" is not a whole number. Write one such as 100.'),
        ({"category": "Seeds"}, '"Seeds" is not a category. Categories are: Edibles, THC Flower.'),
    ],
)
def test_a_mistake_quotes_its_cell_and_says_what_to_write(ada: TestClient, cell: dict[str, str], sentence: str) -> None:
    tried = send(ada, sheet(cell), dry_run=True)
    assert [error["message"] for error in tried.json()["errors"]] == [sentence]


def test_an_unknown_type_is_reported_with_the_known_types(ada: TestClient) -> None:
    [mistake] = send(ada, sheet({"type": "Liquid"}), dry_run=True).json()["errors"]
    assert mistake["message"].startswith('"Liquid" is not a type. Types are: Indica, ')


def test_effects_outside_the_list_are_imported_with_a_warning(ada: TestClient, session: Session) -> None:
    make_product(session, sku="OLD-1", effects=["Zesty"])
    session.commit()
    [warning] = send(ada, sheet({"effects": "Calm|Zesty|Cosy"})).json()["warnings"]
    assert (warning["line"], warning["column"]) == (2, "effects")
    assert warning["message"].startswith(
        '"Zesty", "Cosy" are not effects that shoppers can choose. They can choose: Happy, '
    )
    assert send(ada, b"sku,effects\nOLD-1,Zesty|Calm\n", dry_run=True).json()["warnings"] == []


@pytest.mark.parametrize(
    ("cell", "flavors"),
    [
        ("Earthy,Citrus", ["Earthy", "Citrus"]),
        ("Earthy; Citrus ;", ["Earthy", "Citrus"]),
        ("Lemon, zest|Pine", ["Lemon, zest", "Pine"]),
        ("Lemon, zest|", ["Lemon, zest"]),
    ],
)
def test_commas_or_semicolons_separate_entries_in_a_cell_without_a_pipe(
    ada: TestClient, session: Session, cell: str, flavors: list[str]
) -> None:
    send(ada, sheet({"flavors": cell}))
    assert session.execute(select(Product)).scalar_one().flavors == flavors


def test_a_new_product_needs_no_column_for_its_potency(ada: TestClient, session: Session) -> None:
    columns = tuple(name for name in COLUMNS if name != "potency")
    assert counts(send(ada, sheet({}, columns=columns))) == (1, 0, 0)
    assert session.execute(select(Product)).scalar_one().potency == "Medium THC (20-25%)"


def test_choices_are_understood_whatever_their_case(ada: TestClient, session: Session) -> None:
    assert counts(send(ada, sheet({"type": "indica", "strain": "INDICA", "potency": "high thc (25%+)"}))) == (1, 0, 0)
    product = session.execute(select(Product)).scalar_one()
    assert (product.type, product.strain, product.potency) == ("Indica", "Indica", "High THC (25%+)")


def test_a_line_without_a_sku_still_reports_its_other_mistakes(ada: TestClient) -> None:
    tried = send(ada, b"sku,price,stock,name\n,$49,many,=1+1\n", dry_run=True)
    assert sorted(errors(tried)) == [(2, "name"), (2, "price"), (2, "sku"), (2, "stock")]


def test_a_byte_order_mark_and_multiline_cells_are_accepted(ada: TestClient) -> None:
    content = b"\xef\xbb\xbf" + sheet({"description": "One\nTwo"}, {"sku": "FLW-78", "price": "x"})
    assert errors(send(ada, content, dry_run=True)) == [(4, "price")]


def test_progress_is_streamed_before_the_report(ada: TestClient) -> None:
    lines = [{"sku": f"FLW-{number:04d}"} for number in range(1_200)]
    headers = {"Accept": "application/x-ndjson"}

    def stream(content: bytes) -> list[dict[str, Any]]:
        answer = ada.post("/api/admin/products/import", files={"file": ("p.csv", content)}, headers=headers)
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.text.splitlines()]

    *progress, report = stream(sheet(*lines))
    # Each line counts twice: once when it is checked, once when it is written.
    assert {step["of"] for step in progress} == {2_400}
    assert [step["done"] for step in progress] == [0, 500, 1000, 1700, 2200, 2400]
    assert len(report.pop("changes")) == 1_000
    assert report == {"created": 1_200, "updated": 0, "unchanged": 0, "errors": [], "warnings": []}
    *_, refused = stream(sheet({"price": "x"}))
    assert (refused["status"], refused["code"], len(refused["errors"])) == (422, "import_refused", 1)


def test_a_failure_during_a_streamed_import_has_the_id_of_its_request(
    ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids: list[str] = []

    def fail(*_arguments: object, **_options: object) -> None:
        ids.append(request_ids.current())
        raise RuntimeError("unexpected")

    monkeypatch.setattr(product_csv, "import_file", fail)
    headers = {"Accept": "application/x-ndjson"}
    answer = ada.post("/api/admin/products/import", files={"file": ("p.csv", b"sku")}, headers=headers)
    assert json.loads(answer.text)["status"] == 500
    assert ids == [answer.headers["X-Request-Id"]]


def test_a_sku_that_was_created_since_the_file_was_checked_is_a_conflict(
    ada: TestClient, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two imports at once, the second waits for the first and then finds its new SKUs taken."""
    send(ada, sheet(LINE))
    monkeypatch.setattr(product_csv, "_load", lambda *_arguments, **_options: {})
    refused = send(ada, sheet({"sku": "FLW-70"}, {"name": "Silent Meadow"}))
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert refused.json()["message"] == product_csv.ImportedMeanwhile.message
    assert session.execute(select(Product.sku, Product.name)).all() == [("FLW-77", "Quiet Meadow")]


def test_the_catalogue_shows_an_import_at_once(ada: TestClient, client: TestClient) -> None:
    """Answers of the catalogue are kept until its version grows."""

    def shown() -> list[str]:
        return [each["name"] for each in client.get("/api/products").json()]

    send(ada, sheet(LINE))
    assert shown() == ["Quiet Meadow"]
    send(ada, sheet({"name": "Silent Meadow"}))
    assert shown() == ["Silent Meadow"]
