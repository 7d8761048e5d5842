"""The sheet of a run (RULE run-sheet)."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlmodel import Session, col, select

from marketplace_app import clock, db, errors
from marketplace_app.config import get_settings
from marketplace_app.models import Order, OrderDelivery, OrderLegalRecord, Product, Role, Run
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.settings import SettingsForm
from marketplace_app.services import settings
from marketplace_app.services.dispatch import sheet_texts, sheets
from tests.builders import make_rules, make_run, make_user
from tests.conftest import Cast
from tests.services.dispatch.test_runs import call, place


@pytest.fixture
def run_id(session: Session, cast: Cast, fern: Product, zone: None) -> int:
    order_ids = [place(who, fern) for who in (cast.alice, cast.bob)]
    orders = [session.get_one(Order, order_id) for order_id in order_ids]
    run = make_run(session, make_user(session, "dora", role=Role.DRIVER), *orders)
    session.commit()
    return run.id


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "sheets"
    changed = get_settings().model_copy(update={"run_sheets": str(found)})
    monkeypatch.setattr(sheets, "get_settings", lambda: changed)
    return found


def text_of(sheet: sheets.Sheet) -> str:
    return sheet.model_dump_json()


def test_a_sheet_has_what_a_driver_needs_but_no_pin(session: Session, cast: Cast, run_id: int) -> None:
    pin = "9753"  # a random one might be the number of an order
    session.execute(update(OrderDelivery).values(door_pin=pin))
    session.commit()
    sheet = call(cast.ada, sheets.make, run_id)
    first = sheet.stops[0].facts
    assert (first.customer_name, first.cash_cents, first.address) == (
        "Alice",
        115_00,
        "214 Larch Street, Portland, OR 97201",
    )
    assert (sheet_texts.totals(sheet), sheet_texts.items(first)) == ("2 stops, $230.00 to collect", "1 × Fern Hollow")
    assert pin not in re.findall(r"\d+", text_of(sheet))


def test_a_sheet_has_a_box_for_change_kept_as_credit_if_the_shop_offers_that(cast: Cast, run_id: int) -> None:
    def boxes() -> tuple[str, ...]:
        sheet = call(cast.ada, sheets.make, run_id)
        return sheet_texts.boxes(sheet.stops[0].facts, offers_change_as_credit=sheet.offers_change_as_credit)

    assert "Change kept as credit" not in boxes()
    call(cast.ada, settings.change, parse(SettingsForm, {"keepChangeAsCredit": True, "reason": "test"}))
    assert "Change kept as credit" in boxes()


def test_a_sheet_is_a_pdf_that_only_planners_get(session: Session, cast: Cast, run_id: int) -> None:
    viewer = make_user(session, "vera", role=Role.VIEWER)
    session.commit()
    assert call(cast.ada, sheets.render, run_id).startswith(b"%PDF-")
    for person in (viewer, cast.alice):
        with pytest.raises(errors.NotAllowed):
            call(person, sheets.render, run_id)
    with pytest.raises(errors.NotFound):
        call(cast.ada, sheets.render, run_id + 1)


@pytest.mark.parametrize("name", ["李小龍", "Łukasz", "\U0001f600", "a" * 300])
def test_any_name_can_be_printed(session: Session, cast: Cast, run_id: int, name: str) -> None:
    for order in session.execute(select(Order)).scalars():
        order.customer_name = name
        order.delivery_instructions = f"{name}\n" * 5
    session.commit()
    assert call(cast.ada, sheets.render, run_id).startswith(b"%PDF-")


def test_the_birth_date_of_the_record_is_on_it(session: Session, cast: Cast, run_id: int) -> None:
    version = make_rules(session)
    order = session.execute(select(Order).order_by(col(Order.number))).scalars().first()
    assert order is not None
    record = OrderLegalRecord(order_id=order.id, version_id=version.id, birth_date=date(1990, 4, 17), keep_days=30)
    session.add(record)
    session.commit()
    assert [stop.birth_date for stop in call(cast.ada, sheets.make, run_id).stops] == [date(1990, 4, 17), None]


def remove_finished_files() -> None:
    db.read(sheets.remove_finished_files)


def test_files_are_private_and_go_after_some_weeks(session: Session, cast: Cast, run_id: int, folder: Path) -> None:
    today = clock.today(get_settings().timezone)
    [path] = db.read(lambda s: sheets.write_files_of_day(s, today))
    assert path == folder / today.isoformat() / f"run-{run_id}.pdf"
    assert path.stat().st_mode & 0o077 == 0
    assert db.read(lambda s: sheets.write_files_of_day(s, today + timedelta(days=1))) == []
    remove_finished_files()
    assert path.exists()
    session.get_one(Run, run_id).day = today - timedelta(days=31)
    session.commit()
    remove_finished_files()
    assert not path.parent.exists()


def test_a_file_goes_when_its_run_is_closed(session: Session, cast: Cast, run_id: int, folder: Path) -> None:
    """It has names and addresses of customers, who may erase their accounts from then on."""
    call(cast.ada, sheets.write_at_departure, run_id)
    call(cast.ada, sheets.remove_at_close)
    assert [path.name for path in folder.rglob("*.pdf")] == [f"run-{run_id}.pdf"]
    run = session.get_one(Run, run_id)
    run.departed_at = run.closed_at = clock.now()
    session.commit()
    call(cast.ada, sheets.remove_at_close)
    assert not folder.exists() or not any(folder.iterdir())


def test_old_files_are_removed_when_a_run_leaves(cast: Cast, run_id: int, folder: Path) -> None:
    """Of several machines, each with a folder of its own, only one removes them at night."""
    old = folder / (clock.today(get_settings().timezone) - timedelta(days=31)).isoformat()
    old.mkdir(parents=True)
    (old / "run-1.pdf").write_bytes(b"%PDF-")
    call(cast.ada, sheets.write_at_departure, run_id)
    assert [path.name for path in folder.rglob("*.pdf")] == [f"run-{run_id}.pdf"]


def test_a_sheet_that_cannot_be_written_does_not_hold_up_the_days_others(
    session: Session, run_id: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = make_run(session, make_user(session, "dave", role=Role.DRIVER)).id
    session.commit()
    render = sheets.pdfs.render_sheet

    def fail_for_the_first(sheet: sheets.Sheet) -> bytes:
        if sheet.run_id == run_id:
            raise ValueError("no such letter")
        return render(sheet)

    monkeypatch.setattr(sheets.pdfs, "render_sheet", fail_for_the_first)
    today = clock.today(get_settings().timezone)
    with pytest.raises(ValueError, match="no such letter"):
        db.read(lambda s: sheets.write_files_of_day(s, today))
    assert [path.name for path in folder.rglob("*") if path.is_file()] == [f"run-{second}.pdf"]


def test_a_run_leaves_even_if_its_sheet_cannot_be_written(
    cast: Cast, run_id: int, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.write_text("in the way")
    call(cast.ada, sheets.write_at_departure, run_id)
    assert f"the sheet of run {run_id} could not be written" in caplog.text
