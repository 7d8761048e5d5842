"""Synonyms are editable, every process uses the change, and they never form a loop."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, select, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters.search import fold
from marketplace_app.errors import InvalidInput
from marketplace_app.limits import MAX_REPLACEMENTS, MAX_SYNONYMS
from marketplace_app.models import Synonym
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.search.searches import SynonymForm
from marketplace_app.services.products import products
from marketplace_app.services.search import synonyms
from tests.conftest import Cast


def form(term: Any, replacement: Any) -> SynonymForm:
    return parse(SynonymForm, {"term": term, "replacement": replacement})


@pytest.fixture
def none_yet(session: Session) -> None:
    session.execute(delete(Synonym))
    session.commit()


@pytest.fixture
def add(cast: Cast, none_yet: None) -> Callable[..., int]:
    def one(term: Any, replacement: Any) -> int:
        return db.write(lambda session: synonyms.add(session, cast.ada, form(term, replacement))).id

    return one


def current() -> dict[str, tuple[str, ...]]:
    return dict(db.read(synonyms.current))


def refused(act: Callable[[], object]) -> dict[str, str]:
    with pytest.raises(InvalidInput) as caught:
        act()
    return caught.value.fields


def test_a_shop_begins_with_a_few_that_are_true_anywhere(session: Session) -> None:
    first = current()
    assert (first["joint"], first["weed"], first["1 8"]) == (("pre roll",), ("flower",), ("eighth",))
    assert first["sweets"] == ("candy", "edible")
    for row in session.execute(select(Synonym)).scalars():
        assert (row.folded_term, row.folded_replacement) == (fold(row.term), fold(row.replacement))


def test_both_sides_are_folded_as_a_search_is(add: Callable[..., int]) -> None:
    add(" Crème  de MENTHE ", "Mint-Chip")
    assert current() == {"creme de menthe": ("mint chip",)}


def test_a_term_stands_for_all_that_its_replacements_stand_for(add: Callable[..., int]) -> None:
    add("reefer", "joint")
    add("joint", "pre-roll")
    add("joint", "blunt")
    assert current() == {"reefer": ("joint", "pre roll", "blunt"), "joint": ("pre roll", "blunt")}


def test_the_expansion_of_a_term_is_limited(add: Callable[..., int]) -> None:
    for number in range(MAX_REPLACEMENTS + 3):
        add("anything", f"word {number}")
    assert len(current()["anything"]) == MAX_REPLACEMENTS


def test_every_change_raises_the_version_and_renews_cached_answers(add: Callable[..., int], cast: Cast) -> None:
    def version() -> int:
        return db.read(lambda session: products.version(session, None))

    seen = [version()]
    synonym = add("joint", "pre-roll")
    seen.append(version())
    assert current() == {"joint": ("pre roll",)}
    db.write(lambda session: synonyms.change(session, cast.ada, synonym, form("doobie", "Pre-Roll")))
    seen.append(version())
    assert current() == {"doobie": ("pre roll",)}
    db.write(lambda session: synonyms.remove(session, cast.ada, synonym))
    seen.append(version())
    assert current() == {}
    assert seen == sorted(set(seen))


def test_a_change_made_directly_in_the_database_renews_cached_answers(
    session: Session, add: Callable[..., int]
) -> None:
    add("joint", "pre-roll")
    assert current() == {"joint": ("pre roll",)}
    session.execute(text("UPDATE synonyms SET folded_term = 'spliff'"))
    session.commit()
    assert current() == {"spliff": ("pre roll",)}


def test_no_synonym_names_itself(add: Callable[..., int], cast: Cast) -> None:
    assert list(refused(lambda: add("Pre-Roll", "pre roll"))) == ["replacement"]
    synonym = add("joint", "pre-roll")
    change = form("pre roll", "Pre Roll")
    assert list(refused(lambda: db.write(lambda s: synonyms.change(s, cast.ada, synonym, change)))) == ["replacement"]
    assert current() == {"joint": ("pre roll",)}


def test_an_arrow_can_be_moved_from_the_term_to_the_replacement(add: Callable[..., int], cast: Cast) -> None:
    synonym = add("a → b", "c")
    db.write(lambda session: synonyms.change(session, cast.ada, synonym, form("a", "b → c")))
    assert current() == {"a": ("b c",)}


def test_no_synonym_closes_a_loop(add: Callable[..., int], cast: Cast) -> None:
    first = add("a1", "b1")
    add("b1", "c1")
    errors = refused(lambda: add("C1", "A1"))
    assert errors == {"replacement": "These synonyms would form a loop: c1 → a1 → b1 → c1."}
    # One that is changed does not stand in its own way.
    change = form("c1", "a1")
    db.write(lambda session: synonyms.change(session, cast.ada, first, change))
    assert current()["b1"] == ("c1", "a1")


def test_the_same_synonym_twice_is_refused(add: Callable[..., int]) -> None:
    add("joint", "Pre-Roll")
    assert refused(lambda: add("JOINT", "pre roll")) == {"replacement": "'JOINT' already stands for 'pre roll'."}


@pytest.mark.parametrize("wrong", ["", "  ", "!?", "a b c d e f", "x" * 41, "\x00", "ﷺ" * 3, 7, None])
@pytest.mark.parametrize("field", ["term", "replacement"])
def test_unsearchable_terms_are_refused(add: Callable[..., int], field: str, wrong: object) -> None:
    words: dict[str, Any] = {"term": "joint", "replacement": "pre-roll", field: wrong}
    assert list(refused(lambda: add(**words))) == [field]


def test_the_number_of_synonyms_is_limited(session: Session, add: Callable[..., int]) -> None:
    for number in range(MAX_SYNONYMS):
        word = f"w{number}"
        session.add(Synonym(term=word, replacement="x", folded_term=word, folded_replacement="x"))
    session.commit()
    with pytest.raises(synonyms.TooManySynonyms):
        add("one", "more")


@pytest.mark.parametrize("row", [("a", "a"), ("", "b"), ("a", "")])
def test_the_database_refuses_impossible_rows(session: Session, row: tuple[str, str]) -> None:
    with pytest.raises(DBAPIError):
        session.execute(
            text(
                "INSERT INTO synonyms (term, replacement, folded_term, folded_replacement, updated_at)"
                " VALUES ('a', 'b', :term, :replacement, '2026-11-20')"
            ),
            dict(zip(("term", "replacement"), row, strict=True)),
        )


def test_asking_again_reads_no_rows(add: Callable[..., int]) -> None:
    add("joint", "pre-roll")
    first = db.read(synonyms.current)
    assert db.read(synonyms.current) is first
