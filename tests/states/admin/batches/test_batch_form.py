"""The form of a batch sends what was typed, and marks what a colleague has changed since it was filled."""

from datetime import date

import pytest

from marketplace_app import clock
from marketplace_app.errors import InvalidInput
from marketplace_app.models import BatchState
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import BatchForm, BatchReportView, BatchView
from marketplace_app.states.admin.batches.batch_form import BatchFormData, _changed_names, _texts, _wire

DAY = date(2026, 2, 28)
PANELS = dict.fromkeys(("pesticides", "heavy_metals", "residual_solvents", "microbials"), "Not Detected")
BATCH = BatchView(
    id=1,
    product_id=7,
    code="A1",
    packed_on=None,
    expires_on=None,
    report=BatchReportView(reported_on=DAY, **PANELS),
    thc_percent=22.1234567,
    cbd_percent=0.3,
    unit_cost_cents=None,
    is_approved=True,
    state=BatchState.FOR_SALE,
    hold_reason="",
    recalled_at=None,
    recall_reason="",
    units=10,
    set_aside=0,
    created_at=clock.now(),
)


def test_an_unchanged_percentage_is_sent_as_it_is_stored() -> None:
    form = BatchFormData(batch_code="A1", batch_thc=_texts(BATCH)["thcPercent"], batch_cbd=_texts(BATCH)["cbdPercent"])
    parsed = parse(BatchForm, _wire(form))
    assert (parsed.thc_percent, parsed.cbd_percent) == (22.1234567, 0.3)


@pytest.mark.parametrize(("text", "expected"), [("", None), (" 22.5 ", 22.5), ("22%", 22), (".5 %", 0.5)])
def test_a_percentage_is_read_with_or_without_its_sign(text: str, expected: float | None) -> None:
    assert parse(BatchForm, _wire(BatchFormData(batch_code="A1", batch_thc=text))).thc_percent == expected


@pytest.mark.parametrize("text", ["1_5", "some", "%", "nan", "101"])
def test_what_is_no_percentage_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(BatchForm, _wire(BatchFormData(batch_code="A1", batch_thc=text)))
    assert list(refused.value.fields) == ["thcPercent"]


def test_of_a_report_only_the_results_that_a_colleague_changed_are_marked() -> None:
    report = BatchReportView(reported_on=DAY, **PANELS | {"microbials": "0.1 ppm"})
    other = BATCH.model_copy(update={"report": report, "is_approved": False})
    names = _changed_names(("report", "isApproved"), BATCH.values(), other.values())
    assert {name: _texts(other)[name] for name in names} == {
        "report.microbials": "0.1 ppm",
        "isApproved": "not approved",
    }


def test_all_of_a_report_that_a_colleague_removed_is_marked() -> None:
    names = _changed_names(("report",), BATCH.values(), BATCH.model_copy(update={"report": None}).values())
    assert names[0] == "report.reportedOn"
    assert len(names) == 5
