"""The form of a lab report keeps what is typed in it while others save (RULE connection-lost)."""

import asyncio

import pytest
from reflex.state import State
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.errors import NotFound
from marketplace_app.marketplace_app import app  # noqa: F401 - registers the states
from marketplace_app.models import User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.lab_reports import LabReportForm
from marketplace_app.services import sessions
from marketplace_app.services.admin import lab_reports
from marketplace_app.states.admin import product
from marketplace_app.states.admin.product import AdminProductState
from marketplace_app.states.admin.products import lab_report
from marketplace_app.states.admin.products.lab_report import FIELDS, AdminLabReportState
from marketplace_app.states.events import base
from marketplace_app.states.events.viewer import ViewerState
from tests.builders import make_product
from tests.conftest import ON_SQLITE, Cast

KEPT, FILLED = (False, "A1", True), (True, "A2", False)
"""Whether the form was built anew, the lot in it, and whether it is marked as outdated."""


def save_report(product_id: int, owner: User, lot: str) -> None:
    form = dict.fromkeys(FIELDS, "Not Detected") | {"lot": lot, "reportedOn": "2026-02-28"}
    db.write(lambda s: lab_reports.save(s, s.get_one(User, owner.id), product_id, parse(LabReportForm, form)))


@ON_SQLITE
@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ("a colleague's save", KEPT),
        ("a save of the product's form", KEPT),
        ("a colleague's removal", KEPT),
        ("a reconnect", KEPT),
        ("a visit", FILLED),
        ("show what was saved", FILLED),
        ("show what was saved, the old again", (True, "A1", False)),
    ],
)
def test_a_lab_report_form_stays_until_the_page_is_opened_again(
    event: str,
    expected: tuple[bool, str, bool],
    engine: Engine,
    session: Session,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = make_product(session)
    session.commit()
    token = db.write(lambda s: sessions.start(s, s.get_one(User, cast.ada.id)))
    monkeypatch.setattr(base, "session_token_of", lambda _state: token)
    monkeypatch.setattr(product, "route_argument", lambda *_: str(made.id))
    monkeypatch.setattr(product, "subscribe", lambda *_: None)

    async def after() -> tuple[bool, str, bool]:
        root = State()
        page, report = await root.get_state(AdminProductState), await root.get_state(AdminLabReportState)

        async def load() -> None:
            async for _ in AdminProductState.event_handlers["load"].fn(page):
                pass

        save_report(made.id, cast.ada, "A1")
        await load()
        built = report.form_key
        save_report(made.id, cast.ada, "A2")
        if event == "a colleague's removal":
            db.write(lambda s: lab_reports.remove(s, s.get_one(User, cast.ada.id), made.id))
        if event.startswith("a colleague's"):
            await page._refresh()
        elif event == "a save of the product's form":
            form = {**page.values, **page.flags, "effects": list(page.effects), "flavors": list(page.flavors)}
            async for _ in AdminProductState.event_handlers["save"].fn(page, form):
                pass
        elif event.startswith("show what was saved"):
            await page._refresh()
            if event.endswith("the old again"):
                save_report(made.id, cast.ada, "A1")
            await AdminLabReportState.event_handlers["reload"].fn(report)
        else:
            (await root.get_state(ViewerState))._has_reconnected = event == "a reconnect"
            await load()
        return report.form_key > built, report.values["lot"], report.is_outdated

    assert asyncio.run(after()) == expected


def test_what_was_typed_stays_if_the_saved_report_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise NotFound()

    async def key_after_reload() -> int:
        report = await State().get_state(AdminLabReportState)
        await AdminLabReportState.event_handlers["reload"].fn(report)
        return int(report.form_key)

    monkeypatch.setattr(lab_report, "read", fail)
    assert asyncio.run(key_after_reload()) == 0
