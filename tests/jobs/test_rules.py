"""`rules` and `load-zips`, as somebody at a terminal runs them."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import Engine
from sqlmodel import Session, col, select

from marketplace_app.jobs import commands
from marketplace_app.jobs.commands.console import CommandError
from marketplace_app.models import AuditEntry, JurisdictionVersion, ZipPlace
from marketplace_app.services.jurisdictions import drafts, zips
from tests.conftest import Cast
from tests.databases import ROOT
from tests.jobs.conftest import OK, USAGE, WRONG, Terminal

pytestmark = pytest.mark.slow

ADA = ("--by", "ada@example.org")
HEADER = "zip,state,latitude,longitude"
PORTLAND, SALEM = "97201,OR,45.4988,-122.6878", "97301,OR,44.9498,-123.0036"


@pytest.fixture
def oregon(terminal: Terminal, cast: Cast) -> str:
    """The number of an unreviewed version."""
    return terminal("rules", "add", "or", *ADA).stdout.removeprefix("Added ").partition(":")[0]


def versions_of(engine: Engine) -> list[JurisdictionVersion]:
    with Session(engine) as session:
        return list(session.exec(select(JurisdictionVersion).order_by(col(JurisdictionVersion.id))))


def places_of(engine: Engine) -> list[tuple[str, str, float, float]]:
    with Session(engine) as session:
        places = session.exec(select(ZipPlace).order_by(col(ZipPlace.zip_code)))
        return [(place.zip_code, place.state, place.latitude, place.longitude) for place in places]


def write_csv(folder: Path, *lines: str) -> str:
    file = folder / "zips.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    return str(file)


def test_a_store_without_rules_is_told_of_the_drafts(terminal: Terminal) -> None:
    listed = terminal("rules")
    assert (listed.returncode, listed.stdout) == (OK, "")
    assert "`rules drafts` lists" in listed.stderr


def test_drafts_are_listed_with_what_is_to_be_chosen(no_store: Terminal) -> None:
    listed = no_store("rules", "drafts")
    assert listed.returncode == OK
    assert listed.stdout.splitlines()[:2] == [
        "CA, checked on 2026-11-20, to choose: vehicleValue taxes.excise.rate.",
        "NY, checked on 2026-11-20, to choose: vehicleValue.",
    ]
    assert "not legal advice" in listed.stderr
    assert no_store("rules", "drafts", "tx").returncode == WRONG


def test_a_printed_draft_can_be_edited_and_added(
    terminal: Terminal, engine: Engine, cast: Cast, tmp_path: Path
) -> None:
    printed = terminal("rules", "drafts", "ca").stdout
    assert printed == drafts.text("CA")
    file = tmp_path / "california.toml"
    file.write_text(printed.replace("validFrom = 2026-11-20", "validFrom = 2027-01-01"), encoding="utf-8")
    added = terminal("rules", "add", str(file), *ADA)
    assert (added.returncode, added.stderr) == (OK, "")
    assert ": CA, valid from 2027-01-01, not reviewed, to choose: vehicleValue taxes.excise.rate." in added.stdout
    [version] = versions_of(engine)
    assert version.rules == drafts.read("CA").rules.wire()


def test_a_draft_is_added_by_an_owner_and_reviewed_with_its_choices(
    terminal: Terminal, engine: Engine, cast: Cast, oregon: str
) -> None:
    short = terminal("rules", "review", oregon, "--choose", "vehicleValue=1", *ADA)
    assert short.returncode == WRONG
    assert "record: Choose one of the 2 values." in short.stderr.splitlines()
    assert [version.reviewed_at for version in versions_of(engine)] == [None]

    choices = ("vehicleValue=1", "record=0", "buckets.flower.limit=1")
    done = terminal("rules", "review", oregon, "--choose", *choices, "--choose", "buckets.concentrate.limit=0", *ADA)
    assert (done.returncode, done.stderr) == (OK, "")
    assert done.stdout.startswith(f"Reviewed {oregon}: OR, valid from 2026-11-20, reviewed by Ada on ")
    assert terminal("rules").stdout == done.stdout.removeprefix("Reviewed ")
    [version] = versions_of(engine)
    assert version.reviewed_by_id == cast.ada.id
    assert version.choices == {
        "vehicleValue": 1,
        "record": 0,
        "buckets.flower.limit": 1,
        "buckets.concentrate.limit": 0,
    }
    with Session(engine) as session:
        entries = session.exec(select(AuditEntry).order_by(col(AuditEntry.id))).all()
    assert [(entry.action, entry.actor_id) for entry in entries] == [
        ("rules.added", cast.ada.id),
        ("rules.reviewed", cast.ada.id),
    ]
    again = terminal("rules", "review", oregon, "--choose", *choices, *ADA)
    assert again.returncode == WRONG
    assert "reviewed already" in again.stderr


def test_a_version_is_shown_line_by_line_with_its_sources(terminal: Terminal, oregon: str) -> None:
    before = terminal("rules", "show", oregon).stdout.splitlines()
    assert before[0].startswith(f"{oregon}: OR, valid from 2026-11-20, not reviewed, to choose: vehicleValue record ")
    assert before[1] == "Checked on 2026-11-20: ORS chapter 475C; OAR chapter 845, division 25"
    assert 'orderBy: "20:00" (OAR 845-025-2880(3)(a))' in before
    assert 'vehicleValue=0: "3000.00" (OAR 845-025-2880, as adopted in 2016)' in before
    assert 'hours: {"opens": "08:00", "closes": "21:00"} (OAR 845-025-2880, delivery requirements)' in before
    counts = '[{"category": "Concentrates"}, {"category": "Vapes"}]'
    assert f'buckets.concentrate: {{"label": "Concentrates", "days": 1, "counts": {counts}}}' in before
    assert before[-1].startswith('taxes.local: {"label": "Local marijuana tax", "base": ["items"], "rounding": "up", ')
    choices = ("vehicleValue=1", "record=1", "buckets.flower.limit=1", "buckets.concentrate.limit=1")
    terminal("rules", "review", oregon, "--choose", *choices, *ADA)
    after = terminal("rules", "show", oregon).stdout
    assert 'vehicleValue=1, chosen: "10000.00" (OAR 845-025-2880, as amended)' in after
    assert after.count(", chosen: ") == 4


def test_the_day_that_a_version_counts_from_can_be_given(terminal: Terminal, engine: Engine, cast: Cast) -> None:
    assert terminal("rules", "add", "NY", "--valid-from", "2027-02-01", *ADA).returncode == OK
    [version] = versions_of(engine)
    assert (str(version.valid_from), str(version.checked_on)) == ("2027-02-01", "2026-11-20")


@pytest.mark.parametrize(
    ("email", "why"),
    [
        ("alice@example.org", "alice@example.org is not allowed to edit rules and taxes. Name an owner."),
        ("charlie@example.org", "is banned"),
        ("nobody@example.org", "Nobody has signed in as"),
    ],
)
def test_only_an_owner_adds_and_reviews(terminal: Terminal, engine: Engine, oregon: str, email: str, why: str) -> None:
    for arguments in (("add", "CA"), ("review", oregon)):
        refused = terminal("rules", *arguments, "--by", email)
        assert refused.returncode == WRONG
        assert why in refused.stderr
    assert [version.reviewed_at for version in versions_of(engine)] == [None]


def test_a_file_that_cannot_be_added_is_refused_line_by_line(
    terminal: Terminal, engine: Engine, cast: Cast, tmp_path: Path
) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(drafts.text("NY").replace('state = "NY"', 'state = "XX"').replace("days = 1", "days = -1"))
    refused = terminal("rules", "add", str(file), *ADA)
    assert refused.returncode == WRONG
    assert refused.stderr.splitlines()[0] == "state: A state such as CA is expected"
    assert refused.stderr.splitlines()[1].startswith("rules.buckets.0.days: ")
    file.write_bytes(b"\xff")
    assert "is not a text file in UTF-8" in terminal("rules", "add", str(file), *ADA).stderr
    for text in ("x = " + "[" * 5_000 + "]" * 5_000, f"x = {'9' * 5_000}", "x = "):
        file.write_text(text)
        assert terminal("rules", "add", str(file), *ADA).stderr.startswith("file: This is not TOML: ")
    missing = terminal("rules", "add", str(tmp_path / "none.toml"), *ADA)
    assert (missing.returncode, "No such file" in missing.stderr) == (WRONG, True)
    unknown = terminal("rules", "add", "TX", *ADA)
    assert (unknown.returncode, unknown.stderr) == (WRONG, "There is no draft for TX, only for CA, NY, OR.\n")
    assert versions_of(engine) == []


def test_a_version_that_does_not_exist_is_named_as_such(terminal: Terminal, cast: Cast) -> None:
    for arguments in (("show", "7"), ("review", "7", *ADA)):
        refused = terminal("rules", *arguments)
        assert (refused.returncode, refused.stderr) == (WRONG, "These rules do not exist.\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "CA"),
        ("review", "1"),
        ("show",),
        ("show", "first"),
        ("show", "0"),
        ("review", f"{2**31}", *ADA),
        ("review", "1", "--choose", "vehicleValue", *ADA),
        ("add", "CA", "--valid-from", "soon", *ADA),
        ("repeal", "1"),
    ],
)
def test_wrong_usage_exits_with_2(no_store: Terminal, arguments: tuple[str, ...]) -> None:
    assert no_store("rules", *arguments).returncode == USAGE


@pytest.mark.parametrize("day", ["0001-01-01", "1999-12-31", "3000-01-01"])
def test_a_version_counts_from_a_day_of_this_millennium(no_store: Terminal, tmp_path: Path, day: str) -> None:
    sentence = "A day between 2000-01-01 and 2999-12-31 is expected"
    refused = no_store("rules", "add", "CA", "--valid-from", day, *ADA)
    assert refused.returncode == USAGE
    assert sentence in refused.stderr
    file = tmp_path / "california.toml"
    file.write_text(drafts.text("CA").replace("validFrom = 2026-11-20", f"validFrom = {day}"), encoding="utf-8")
    refused = no_store("rules", "add", str(file), *ADA)
    assert (refused.returncode, refused.stderr) == (WRONG, f"validFrom: {sentence}\n")


def test_a_day_with_a_time_is_no_day(no_store: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "california.toml"
    file.write_text(drafts.text("CA").replace("validFrom = 2026-11-20", "validFrom = 2026-11-20T10:00:00"))
    refused = no_store("rules", "add", str(file), *ADA)
    assert (refused.returncode, refused.stderr) == (WRONG, "validFrom: A date such as 2026-11-02 is expected\n")


@pytest.mark.parametrize(
    "arguments", [("rules",), ("rules", "show", "1"), ("rules", "add", "CA", *ADA), ("load-zips",)]
)
def test_neither_command_creates_a_missing_store(no_store: Terminal, arguments: tuple[str, ...]) -> None:
    refused = no_store(*arguments)
    assert refused.returncode == WRONG
    assert "There is no database at" in refused.stderr
    assert not (no_store.folder / "store.db").exists()


def test_zip_codes_come_from_the_package(terminal: Terminal, engine: Engine) -> None:
    loaded, again = terminal("load-zips"), terminal("load-zips")
    assert (loaded.returncode, loaded.stdout) == (OK, "41,749 ZIP codes loaded.\n")
    assert "outside the 50 states and DC were left out." in loaded.stderr
    assert (again.returncode, again.stdout) == (OK, loaded.stdout)
    places = {zip_code: state for zip_code, state, *_ in places_of(engine)}
    assert len(places) == 41_749
    known = {"97201": "OR", "90012": "CA", "10001": "NY", "20001": "DC", "99501": "AK"}
    assert {zip_code: places[zip_code] for zip_code in known} == known
    assert len(set(places.values())) == 51
    assert not {"00901", "96910", "09012"} & set(places)  # San Juan, Guam, an army post office


def test_a_csv_file_replaces_all_rows(terminal: Terminal, engine: Engine, tmp_path: Path) -> None:
    puerto_rico = "00901,PR,18.46,-66.11"
    loaded = terminal("load-zips", write_csv(tmp_path, HEADER, PORTLAND, SALEM, puerto_rico))
    assert (loaded.returncode, loaded.stdout) == (OK, "2 ZIP codes loaded.\n")
    assert loaded.stderr == "1 outside the 50 states and DC were left out.\n"
    assert places_of(engine) == [("97201", "OR", 45.4988, -122.6878), ("97301", "OR", 44.9498, -123.0036)]
    with Session(engine) as session:
        [entry] = session.execute(select(AuditEntry)).scalars()
    assert (entry.actor_id, entry.action, entry.subject, entry.details) == (None, "zips.loaded", "zips", {"count": 2})
    columns = "state,zip,name,longitude,latitude"
    terminal("load-zips", write_csv(tmp_path, columns, "OR,97301,Salem,-123.0036,44.9"))
    assert places_of(engine) == [("97301", "OR", 44.9, -123.0036)]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("9720,OR,45.5,-122.7", "line 3: a ZIP code of five digits is expected."),
        ("97202,Oregon,45.5,-122.7", "line 3: a state of two capital letters is expected."),
        ("97202,OR,north,-122.7", "line 3: latitude and longitude must be numbers, such as 45.52."),
        ("97202,OR,95,-122.7", "line 3: a latitude from -90 to 90 and a longitude from -180 to 180 are expected."),
        ("97202,OR,nan,-122.7", "line 3: a latitude from -90 to 90 and a longitude from -180 to 180 are expected."),
        ("97202,OR", "line 3: latitude and longitude must be numbers, such as 45.52."),
        ("97201,WA,45.5,-122.7", "line 3: 97201 is on an earlier line too."),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_loaded(
    terminal: Terminal, engine: Engine, tmp_path: Path, line: str, why: str
) -> None:
    terminal("load-zips", write_csv(tmp_path, HEADER, SALEM))
    before = places_of(engine)
    refused = terminal("load-zips", write_csv(tmp_path, HEADER, PORTLAND, line))
    assert (refused.returncode, refused.stdout) == (WRONG, f"{why}\n")
    assert refused.stderr == "Nothing was loaded: 1 mistake to correct.\n"
    assert places_of(engine) == before


def test_a_file_without_places_does_not_empty_the_table(terminal: Terminal, engine: Engine, tmp_path: Path) -> None:
    terminal("load-zips", write_csv(tmp_path, HEADER, SALEM))
    for lines in ((HEADER,), (HEADER, "00901,PR,18.46,-66.11")):
        refused = terminal("load-zips", write_csv(tmp_path, *lines))
        assert refused.returncode == WRONG
        assert "there are no ZIP codes of the 50 states and DC" in refused.stderr
    unnamed = terminal("load-zips", write_csv(tmp_path, "zip,state", "97201,OR"))
    assert unnamed.stderr.endswith("the first line must name the columns latitude, longitude.\n")
    endless = terminal("load-zips", write_csv(tmp_path, HEADER, "9" * 200_000))
    assert endless.stderr.endswith("is not CSV: field larger than field limit (131072).\n")
    assert terminal("load-zips", str(tmp_path / "none.csv")).returncode == WRONG
    assert len(places_of(engine)) == 1


def test_a_load_that_fails_leaves_the_earlier_rows(
    terminal: Terminal, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal("load-zips", write_csv(tmp_path, HEADER, SALEM))
    before = places_of(engine)

    def replace_and_fail(session: Session, locations: Sequence[zips.Location]) -> None:
        zips.replace(session, locations)
        raise CommandError("The connection was lost.")

    monkeypatch.setattr(commands.zips, "zips", SimpleNamespace(replace=replace_and_fail))
    assert terminal("load-zips", write_csv(tmp_path, HEADER, PORTLAND)).returncode == WRONG
    assert places_of(engine) == before


def test_zipcodes_is_not_imported_before_load_zips_needs_it() -> None:
    code = "import sys, marketplace_app.jobs.commands; print('zipcodes' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.stdout == "False\n", ended.stderr
