"""References to rules, decisions, names and routes of docs/product exist. Links: `test_documents`."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from marketplace_app import limits, money
from marketplace_app.api.access import REQUIRED_ACCESS
from marketplace_app.auth.callers import Who
from marketplace_app.errors import StoreError
from marketplace_app.marketplace_app import app  # noqa: F401 - imports all of the store, and so all failures
from marketplace_app.schemas.setting_fields import SETTINGS
from marketplace_app.schemas.settings import DEFAULTS

ROOT = Path(__file__).parents[1]
PACKAGE, PRODUCT, DECISIONS = ROOT / "marketplace_app", ROOT / "docs" / "product", ROOT / "docs" / "decisions"
THIS = Path(__file__).name
HEADING = re.compile(r"^### RULE ([a-z0-9]+(?:-[a-z0-9]+)*)$", re.MULTILINE)
REFERENCE = re.compile(r"\bRULE\s+(?:[#*]\s+)?([a-z0-9][a-z0-9-]*[a-z0-9])")
# S1 and S2 were the names of the specification, which is not in the repository.
BARE = re.compile(r"\bdecisions?[\s#*]+[0-9]+|\bS[12]\b|\bthe[ _]specification", re.IGNORECASE)
NAMED_VALUE = re.compile(r"`([a-z_]+(?:/[a-z_]+)*)\.(?!py`)(\w+)`")
STATED_NUMBER = re.compile(r"`([a-z_/]+)\.([A-Z_]+)`(?: \(|, )(\$?[0-9,]*[0-9])(?:\)|, )")
RECORD = re.compile(r"decisions/([0-9][\w.-]*\w)")
BLOCKERS = {
    (409, code)
    for code in (
        "empty_cart",
        "minimum_order",
        "order_too_large",
        "outside_delivery_area",
        "address_not_understood",
        "jurisdiction_unknown",
        "delivery_not_allowed",
        "cash_not_allowed",
        "outside_hours",
        "ordered_too_late",
        "legal_limit",
        "limit_unknown",
        "birth_date_required",
        "under_age",
    )
}
"""Codes that an `OrderBlocked` carries."""
WRITTEN_BY_CUSTOMERS = "tools/bench/triage/"


@lru_cache(maxsize=1)
def texts() -> Mapping[str, str]:
    """Every text file of the checkout but this one and those that Git ignores, by its path."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    found = {}
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path.name != THIS and path.is_file() and not path.is_symlink():
            try:
                found[name] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # a picture, a font
    return found


def product_documents() -> Iterator[tuple[str, str]]:
    return ((name, text) for name, text in texts().items() if name.startswith("docs/product/"))


def rules() -> Counter[str]:
    return Counter(name for _, text in product_documents() for name in HEADING.findall(text))


def test_rule_names_are_unique() -> None:
    assert {name for name, count in rules().items() if count > 1} == set()
    headings = sum(text.count("\n### ") for _, text in product_documents())
    assert headings == rules().total()  # otherwise one is misspelled


def test_every_referenced_rule_exists() -> None:
    known = rules()
    assert known
    unknown = [
        f"{name}: RULE {rule}"
        for name, text in texts().items()
        for rule in REFERENCE.findall(text)
        if rule not in known
    ]
    assert unknown == [], "docs/product/ has no such rules"


def test_every_record_of_a_decision_is_in_the_index() -> None:
    index = (DECISIONS / "README.md").read_text()
    missing = [record.name for record in DECISIONS.glob("[0-9]*.md") if f"]({record.name})" not in index]
    assert missing == []


def test_a_decision_is_named_by_its_file() -> None:
    """A number alone may be that of another list, and means nothing to a stranger."""
    bare = [
        f"{name}: {found[0]!r}"
        for name, text in texts().items()
        if not name.startswith(WRITTEN_BY_CUSTOMERS)
        for found in BARE.finditer(text)
    ]
    assert bare == []
    records = {record.name for record in DECISIONS.glob("[0-9]*.md")}
    unknown = [f"{name}: {each}" for name, text in texts().items() for each in set(RECORD.findall(text)) - records]
    assert unknown == []


def value_of(module: str, name: str) -> object:
    """What rules call `limits.MAX_STOCK` or `jobs/timetable.SHEETS_HOUR`; None if there is no such thing."""
    try:
        return getattr(import_module(f"marketplace_app.{module.replace('/', '.')}"), name, None)
    except ModuleNotFoundError:
        return None


def named_values() -> set[tuple[str, str]]:
    named = {pair for _, text in product_documents() for pair in NAMED_VALUE.findall(text)}
    return {(module, name) for module, name in named if "/" in module or (PACKAGE / f"{module}.py").is_file()}


def test_texts_and_numbers_named_by_rules_exist() -> None:
    named = named_values()
    assert {"limits", "messages"} <= {module for module, _ in named}
    assert {(module, name) for module, name in named if value_of(module, name) is None} == set()


def test_every_number_of_the_business_is_named_by_a_rule() -> None:
    named = named_values()
    unnamed = {name for name in vars(limits) if name.isupper() and ("limits", name) not in named}
    assert unnamed == set(), f"Name these in docs/product, as `limits.NAME` with the value in brackets: {unnamed}"


def test_every_module_of_texts_is_named_by_a_rule() -> None:
    modules = {path.stem for path in PACKAGE.glob("*messages.py")}
    unnamed = modules - {module for module, _ in named_values()}
    assert not unnamed, f"No rule of docs/product/ names a text of these, such as `messages.ERROR`: {unnamed}"


def test_numbers_in_brackets_are_those_of_the_code() -> None:
    stated = [found for _, text in product_documents() for found in STATED_NUMBER.findall(text)]
    assert stated
    wrong = [(module, name, said) for module, name, said in stated if shown(name, value_of(module, name)) != said]
    assert wrong == []


def shown(name: str, value: Any) -> str:
    return str(money.show_short(value)) if name.endswith("_CENTS") else f"{value:,}"


def test_the_list_of_shop_settings_has_the_defaults_of_the_code() -> None:
    section = (PRODUCT / "records.md").read_text().partition("### RULE shop-settings")[2].partition("### ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", section, re.MULTILINE)
    expected = [(each.label.partition(" (")[0], each.show(DEFAULTS[each.name])) for each in SETTINGS]
    assert sorted(rows[1:]) == sorted(expected)


def test_the_list_of_routes_is_complete_and_says_who_may_call_them() -> None:
    listed = dict(
        re.findall(r"^\| `([A-Z]+ /api\S*)` \| ([^|]+) \|", (PRODUCT / "routes.md").read_text(), re.MULTILINE)
    )
    expected = {
        line.replace(" /", " /api/", 1): access.value if isinstance(access, Who) else f"may {access.value}"
        for line, access in REQUIRED_ACCESS.items()
    }
    unlisted, gone = dict(expected.items() - listed.items()), listed.keys() - expected.keys()
    assert not unlisted, f"Give these a row in docs/product/routes.md, with who may call them: {unlisted}"
    assert not gone, f"Give these a line in REQUIRED_ACCESS, or remove their rows from docs/product/routes.md: {gone}"


def failures(base: type[StoreError] = StoreError) -> Iterator[type[StoreError]]:
    yield base
    for each in base.__subclasses__():
        yield from failures(each)


def test_the_table_of_errors_has_every_code_at_its_status() -> None:
    section = (PRODUCT / "api.md").read_text().partition("### RULE wire-errors")[2].partition("### ")[0]
    rows = re.findall(r"^\| ([0-9]{3}) \| (.+) \|$", section, re.MULTILINE)
    listed = {(int(status), code) for status, codes in rows for code in re.findall(r"`(\w+)`", codes)}
    expected = {(each.status, each.code) for each in failures()}
    # `bad_lines` is the code of a report of an import, not of a failure.
    unlisted, gone = expected - listed, listed - expected - {(422, "bad_lines")} - BLOCKERS
    assert not unlisted, f"Add these codes to docs/product/api.md, RULE wire-errors: {unlisted}"
    assert not gone, f"Remove these codes from docs/product/api.md, RULE wire-errors: {gone}"
