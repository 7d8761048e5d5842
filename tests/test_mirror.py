"""The tests of a service are at the path of its module: `services/cash/ledger.py` has
`tests/services/cash/test_ledger.py`."""

from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]


class Elsewhere(NamedTuple):
    tests: str
    """The file below `tests/` that fails if the module is wrong."""
    what: str
    """What the module does, as those tests see it."""


_INVARIANTS = Elsewhere("jobs/test_commands.py", "broken one by one, and named by the command")
_LISTS = Elsewhere(
    "services/search/test_product_search.py", "the lists it answers from memory are compared with the rules"
)
EXCEPTIONS: dict[str, dict[str, Elsewhere]] = {
    "services": {
        "admin/infrastructure.py": Elsewhere(
            "services/admin/test_health.py", "the checks outside the database on /admin/health"
        ),
        "admin/order_export.py": Elsewhere("api/admin/test_orders.py", "a file, as its route streams it"),
        "admin/product_csv.py": Elsewhere("api/admin/test_product_csv.py", "a file in and a report out, by its route"),
        "admin/sales.py": Elsewhere("services/admin/test_statistics.py", "adds up what statistics show"),
        "backups.py": Elsewhere("services/admin/test_health.py", "a time that is written and read"),
        "batches/contents.py": Elsewhere("services/batches/test_swaps.py", "reads what a swap has changed"),
        "batches/reports.py": Elsewhere("api/test_batch_reports.py", "one statement, for the page of a product"),
        "claims.py": Elsewhere("services/test_races.py", "how the last of something is taken once"),
        "dispatch/cards.py": Elsewhere("services/dispatch/test_board.py", "what the board reads of an order"),
        "dispatch/driver_run.py": Elsewhere("api/test_driver.py", "what a driver's phone gets, by its route"),
        "dispatch/event_texts.py": Elsewhere("services/dispatch/test_run_events.py", "the words of a run's events"),
        "dispatch/invariants.py": _INVARIANTS,
        "dispatch/label_pdf.py": Elsewhere("services/dispatch/test_labels.py", "draws labels"),
        "dispatch/pdf_pages.py": Elsewhere("services/dispatch/test_labels.py", "the typeface of labels and sheets"),
        "dispatch/problems.py": Elsewhere("services/dispatch/test_board.py", "the words of a problem on the board"),
        "dispatch/reports.py": Elsewhere("services/dispatch/test_door.py", "how a report at the door is judged"),
        "dispatch/run_views.py": Elsewhere("services/dispatch/test_runs.py", "what every change of a run returns"),
        "dispatch/sheet_pdf.py": Elsewhere("services/dispatch/test_sheets.py", "draws sheets"),
        "dispatch/sheet_texts.py": Elsewhere("services/dispatch/test_sheets.py", "the words on a sheet"),
        "erased_users.py": Elsewhere("services/test_leaving_races.py", "a query that finds what an erasure left"),
        "invariants.py": _INVARIANTS,
        "buying/order_rows.py": Elsewhere("services/buying/test_orders.py", "the rows that placing an order writes"),
        "records/timetable.py": Elsewhere("jobs/test_timetable.py", "tasks are leased and rescheduled when they run"),
        "run_stops.py": Elsewhere("services/dispatch/test_stops.py", "stops of runs, which dispatch plans"),
        "search/lexicons.py": _LISTS,
        "search/product_index.py": _LISTS,
        "search/product_sets.py": _LISTS,
    },
    "states": {
        "admin/dispatch/dispatch_release.py": Elsewhere("e2e/test_admin_dispatch.py", "sends on a reason"),
        "admin/invitations/invitations_page.py": Elsewhere("e2e/test_admin_invitations.py", "loads the tab's list"),
        "admin/products/product_archive.py": Elsewhere("e2e/test_admin_products.py", "asks, archives, lists anew"),
    },
}
"""The modules that have no test file at their path, by layer. Add none: give a new module a test file."""


def modules_of(layer: str) -> set[str]:
    folder = ROOT / "marketplace_app" / layer
    return {str(file.relative_to(folder)) for file in folder.rglob("*.py") if file.name != "__init__.py"}


def mirrored_by(layer: str, module: str) -> Path:
    path = ROOT / "tests" / layer / module
    return path.with_name(f"test_{path.name}")


@pytest.mark.parametrize("layer", EXCEPTIONS)
def test_the_tests_of_a_module_are_at_its_path(layer: str) -> None:
    modules = modules_of(layer)
    assert modules
    untested = {each for each in modules if not mirrored_by(layer, each).is_file()} - EXCEPTIONS[layer].keys()
    assert not untested, f"Give each of these a test file at its path in tests/{layer}: {sorted(untested)}"


@pytest.mark.parametrize("layer", EXCEPTIONS)
def test_an_exception_is_a_module_without_such_a_file_and_names_an_existing_one(layer: str) -> None:
    exceptions = EXCEPTIONS[layer]
    assert exceptions.keys() - modules_of(layer) == set()
    assert [each for each in exceptions if mirrored_by(layer, each).is_file()] == []
    assert {each.tests for each in exceptions.values() if not (ROOT / "tests" / each.tests).is_file()} == set()
    assert [module for module, each in exceptions.items() if not each.what] == []
