"""Import and export of products by CSV: checked, previewed, and written all or not at all (docs/products-csv.md)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, TypeVar

from sqlalchemy import bindparam, insert, select, update
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live, search
from marketplace_app.errors import Conflict, InvalidInput
from marketplace_app.models import Category, Permission, Potency, Product, StockMovement, StockReason, User
from marketplace_app.models.base import table_of
from marketplace_app.schemas.admin.product_csv import (
    MAX_CHANGES,
    MAX_ERRORS,
    Change,
    CsvLine,
    CsvSheet,
    ImportRefused,
    ProductImportReport,
    changes_of,
    header,
    read_sheet,
    rows_of,
)
from marketplace_app.schemas.admin.product_csv_errors import cell_error, choice_error, effects_warning
from marketplace_app.schemas.admin.products import PRODUCT_COLUMNS, AdminProductView
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.line_errors import LineError
from marketplace_app.schemas.products.product_fields import LIST_SEPARATOR, ProductForm
from marketplace_app.services.accounts import require
from marketplace_app.services.admin.products import refusing_duplicate_sku
from marketplace_app.services.records import announcements, audit_log
from marketplace_app.services.stock import StockInBatches

T = TypeVar("T")
CHUNK_SIZE = 500
"""Rows per statement, and per progress report."""
OnProgress = Callable[[int, int], None]
"""Called with the steps done and the number of all steps: checking a line is one step and, unless it is a dry run,
writing it another. Calls come about every `CHUNK_SIZE` steps; the last one need not reach the number of all steps."""
_COLUMNS = [getattr(Product, name) for name in PRODUCT_COLUMNS]
_NEW_DEFAULTS: dict[str, Any] = {"potency": ""}
"""Values of a new product for columns that the file may leave out: an empty potency is derived from the THC."""


class ImportedMeanwhile(Conflict):
    message = (
        "A product of this file was created elsewhere meanwhile. Nothing was written; please choose the file again."
    )


@dataclass
class _Plan:
    """What the file's lines would write and report, before anything is written."""

    new_rows: list[dict[str, Any]] = field(default_factory=list)
    changed_rows: list[dict[str, Any]] = field(default_factory=list)
    movements: list[dict[str, Any]] = field(default_factory=list)
    in_batches: set[int] = field(default_factory=set)
    """Ids of products whose stock is the sum of their batches."""
    updated: int = 0
    unchanged: int = 0
    changes: list[Change] = field(default_factory=list)
    errors: list[LineError] = field(default_factory=list)
    warnings: list[LineError] = field(default_factory=list)

    def report(self) -> ProductImportReport:
        changes, errors = tuple(self.changes[:MAX_CHANGES]), tuple(self.errors[:MAX_ERRORS])
        warnings = tuple(self.warnings[:MAX_ERRORS])
        return ProductImportReport(
            created=len(self.new_rows),
            updated=self.updated,
            unchanged=self.unchanged,
            changes=changes,
            errors=errors,
            warnings=warnings,
        )


def _no_progress(_done: int, _of: int) -> None:
    pass


def import_file(
    session: Session, actor: User | None, content: bytes, *, dry_run: bool, on_progress: OnProgress = _no_progress
) -> ProductImportReport:
    """Import a file, or only report what would change. Raises ImportRefused: then nothing was written."""
    return import_sheet(
        session, require(actor, Permission.EDIT_PRODUCTS), read_sheet(content), dry_run=dry_run, on_progress=on_progress
    )


def import_sheet(
    session: Session, staff: User | None, sheet: CsvSheet, *, dry_run: bool, on_progress: OnProgress = _no_progress
) -> ProductImportReport:
    """For callers that have checked who is acting; the command line has no user. Raises ImportRefused and
    ImportedMeanwhile."""
    known = _load(session, sheet, lock=not dry_run)
    steps = len(sheet.lines) * (1 if dry_run else 2)
    plan = _make_plan(session, sheet, known, lambda done: on_progress(done, steps))
    if dry_run:
        return plan.report()
    if plan.errors:
        raise ImportRefused(plan.report().errors)
    _write(session, staff, plan, lambda done: on_progress(len(sheet.lines) + done, steps))
    report = plan.report()
    counts = {"created": report.created, "updated": report.updated, "unchanged": report.unchanged}
    audit_log.append(session, staff, "products.imported", "products", **counts)
    announcements.publish(session, live.STAFF)
    return report


def export(read_page: Callable[[int], tuple[str, int | None]]) -> Iterator[str]:
    """The file in pieces; `read_page` calls `export_page` in a transaction of its own for each."""
    yield header()
    after: int | None = 0
    while after is not None:
        piece, after = read_page(after)
        yield piece


def export_page(session: Session, actor: User | None, after: int) -> tuple[str, int | None]:
    """The lines of the next products by id, archived ones too, and the id after which the next page begins."""
    require(actor, Permission.SEE_PRODUCTS)
    return export_rows(session, after)


def export_rows(session: Session, after: int) -> tuple[str, int | None]:
    """For callers that have checked who is acting."""
    page = select(*_COLUMNS).where(col(Product.id) > after).order_by(col(Product.id)).limit(CHUNK_SIZE)
    products = [_view(row) for row in session.execute(page)]
    return rows_of(products), products[-1].id if len(products) == CHUNK_SIZE else None


def _view(row: Sequence[Any]) -> AdminProductView:
    return AdminProductView(*(*row, None))  # without its lab report, which is not in the file


def _load(session: Session, sheet: CsvSheet, *, lock: bool) -> dict[str, AdminProductView]:
    """The products that the file names, by SKU; with `lock`, locked in the order of their ids."""
    ids: list[int] = []
    for lines in _chunks(sheet.lines):
        named = select(col(Product.id)).where(col(Product.sku).in_([line.sku for line in lines]))
        ids += session.execute(named).scalars()
    found: dict[str, AdminProductView] = {}
    for chunk in _chunks(sorted(ids)):
        rows = select(*_COLUMNS).where(col(Product.id).in_(chunk)).order_by(col(Product.id))
        for row in session.execute(rows.with_for_update() if lock else rows):
            found[row.sku] = _view(row)
    return found


def _make_plan(
    session: Session, sheet: CsvSheet, known: dict[str, AdminProductView], on_progress: Callable[[int], None]
) -> _Plan:
    categories = set(session.execute(select(col(Category.name))).scalars())
    plan = _Plan(errors=list(sheet.errors), in_batches=_products_in_batches(session, known))
    for done, line in enumerate(sheet.lines):
        if done % CHUNK_SIZE == 0:
            on_progress(done)
        if len(plan.errors) < MAX_ERRORS:
            _plan_line(plan, line, known.get(line.sku), categories)
    plan.errors.sort(key=lambda error: error.line)
    return plan


def _products_in_batches(session: Session, known: dict[str, AdminProductView]) -> set[int]:
    """The ids of all products that are kept in batches, whether in the file or not: a file may name thousands, which is
    usually more than are kept in batches. If no product of the file exists yet, nothing is read."""
    return set(session.execute(select(col(Product.id)).where(col(Product.has_batches))).scalars()) if known else set()


def _plan_line(plan: _Plan, line: CsvLine, before: AdminProductView | None, categories: set[str]) -> None:
    values = (before.form_wire() if before else _NEW_DEFAULTS) | line.given
    form, errors = _parse_line(values, line, before, categories)
    if form is None:
        plan.errors += [LineError(line.number, name, why) for name, why in errors.items()]
        return
    if warning := _effects_warning(line, before):
        plan.warnings.append(LineError(line.number, "effects", warning))
    facts = form.columns()
    facts["potency"] = form.potency or Potency.of(form.thc_percent)
    if before is None:
        plan.new_rows.append(facts | {"stock": form.stock})
        plan.changes.append(Change(line=line.number, sku=line.sku, column="", before="", after=form.name))
        return
    has_changed = any(getattr(before, name) != value for name, value in facts.items())
    if has_changed:
        plan.changed_rows.append({"id": before.id, **facts})
    if form.stock != before.stock:
        if before.id in plan.in_batches:
            plan.errors.append(LineError(line.number, "stock", StockInBatches.message))
            return
        plan.movements.append({"product_id": before.id, "change": form.stock - before.stock})
    if not has_changed and form.stock == before.stock:
        plan.unchanged += 1
        return
    plan.updated += 1
    if len(plan.changes) < MAX_CHANGES:
        plan.changes += changes_of(line.number, before, replace(before, **facts, stock=form.stock))


def _parse_line(
    values: dict[str, Any], line: CsvLine, before: AdminProductView | None, categories: set[str]
) -> tuple[ProductForm | None, dict[str, str]]:
    """The form, or the errors by column. A line without a SKU may be meant for an existing product, so the columns that
    the file leaves out are not called missing."""
    form, errors = None, {}
    try:
        form = parse(ProductForm, values)
    except InvalidInput as error:
        sentences = {name.partition(".")[0]: sentence for name, sentence in error.fields.items()}
        errors = {name: cell_error(name, _cell_text(values.get(name)), each) for name, each in sentences.items()}
    category = str(values.get("category") or "")
    if category and category not in categories:
        errors["category"] = choice_error(category, "category", sorted(categories))
    errors |= line.cell_errors
    if not line.sku:
        errors = {name: sentence for name, sentence in errors.items() if name in line.given}
    return (None if errors else form), errors


def _effects_warning(line: CsvLine, before: AdminProductView | None) -> str:
    effects = line.given.get("effects")
    return effects_warning(effects, before.effects if before else ()) if isinstance(effects, list) else ""


def _cell_text(value: Any) -> str:
    if isinstance(value, list):
        return LIST_SEPARATOR.join(value)
    if isinstance(value, float):
        return f"{value:.12g}"
    return "" if value is None else str(value)


def _write(session: Session, staff: User | None, plan: _Plan, on_progress: Callable[[int], None]) -> None:
    at, done = clock.now(), 0
    # Without the new products, whose movements are added below: no page shows them yet.
    changed = {row["id"] for row in plan.changed_rows} | {movement["product_id"] for movement in plan.movements}
    for chunk in _chunks(plan.new_rows):
        plan.movements += _insert(session, chunk, at)
        on_progress(done := done + len(chunk))
    for chunk in _chunks(plan.changed_rows):
        rows = [row | {"sort_name": search.fold(row["name"]), "updated_at": at} for row in chunk]
        session.execute(update(Product), rows)
        search.index_many(session, [SimpleNamespace(**row) for row in rows])
        on_progress(done := done + len(chunk))
    for chunk in _chunks(plan.movements):
        _write_movements(session, staff, chunk)
    for product_id in changed:
        announcements.publish(session, live.product(product_id))


def _insert(session: Session, rows: Sequence[dict[str, Any]], at: Any) -> list[dict[str, Any]]:
    """Insert new products without stock; returns the movements for their stock. Raises ImportedMeanwhile if one was
    created since the file was checked."""
    blank = {"image": "", "rating_tenths": 0, "review_count": 0, "created_at": at, "updated_at": at, "ingredients": ""}
    made = [blank | row | {"sort_name": search.fold(row["name"]), "stock": 0} for row in rows]
    with refusing_duplicate_sku(session, ImportedMeanwhile()):
        session.execute(insert(Product), made)
    statement = select(col(Product.sku), col(Product.id)).where(col(Product.sku).in_([row["sku"] for row in made]))
    ids: dict[str, int] = {row.sku: row.id for row in session.execute(statement)}
    search.index_many(session, [SimpleNamespace(id=ids[row["sku"]], **row) for row in made])
    return [{"product_id": ids[row["sku"]], "change": row["stock"]} for row in rows if row["stock"]]


def _write_movements(session: Session, staff: User | None, movements: Sequence[dict[str, Any]]) -> None:
    """Like `stock.move`, for many at once: the rows are locked, so no count has changed since it was read."""
    products: Any = table_of(Product)
    moved = {"stock": products.c.stock + bindparam("change")}
    counted = update(products).where(products.c.id == bindparam("product_id")).values(moved)
    session.connection().execute(counted, list(movements))
    at, actor_id = clock.now(), staff.id if staff else None
    common = {"reason": StockReason.IMPORT, "actor_id": actor_id, "note": "", "created_at": at}
    session.execute(insert(StockMovement), [row | common for row in movements])


def _chunks(items: Sequence[T]) -> Iterable[Sequence[T]]:
    return (items[start : start + CHUNK_SIZE] for start in range(0, len(items), CHUNK_SIZE))
