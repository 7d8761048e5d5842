"""Reading the place at the end of an address."""

from time import perf_counter

import pytest

from marketplace_app.places import STATE_NAMES, Place, read, read_address, read_state, read_zip


@pytest.mark.parametrize(
    ("text", "zip_code"),
    [
        ("97201", "97201"),
        (" 97201 ", "97201"),
        ("97201-1234", "97201"),
        ("972011234", "97201"),
        ("9720", None),
        ("972011", None),
        ("97201-12", None),
        ("ABCDE", None),
        ("٩٧٢٠١", None),
        ("", None),
    ],
)
def test_a_zip_code_is_five_digits_with_or_without_four_more(text: str, zip_code: str | None) -> None:
    assert read_zip(text) == zip_code


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("214 Larch Street, Portland, OR 97201", Place("97201", "OR")),
        ("214 Larch Street, Portland, or 97201-1234", Place("97201", "OR")),
        ("214 Larch Street\nPortland OR, 97201 \n", Place("97201", "OR")),
        ("214 Larch Street, Portland, OR 97201, USA", Place("97201", "OR")),
        ("214 Larch Street, Portland, Oregon 97201", Place("97201", "OR")),
        ("5 Main Street, Charleston, West  Virginia, 25301", Place("25301", "WV")),
        ("1 Broadway, New York, new york 10004-1234, USA", Place("10004", "NY")),
        ("1 Broadway, New York, NY 100041234", Place("10004", "NY")),
        ("214 Larch Street, Portland, OR 97201, U.S.", Place("97201", "OR")),
        ("214 Larch Street, Portland, OR 97201, U.S.A.", Place("97201", "OR")),
        ("5 Elm Street NW, Washington, D.C. 20001", Place("20001", "DC")),
        ("214 Larch St. N.W. 97201", Place("97201")),
        ("214 Larch St 97201", Place("97201")),
        ("214 Oregon Street, Portland 97201", Place("97201")),
        ("97201", Place("97201")),
        ("12345 Larch Street, Portland", None),
        ("214 Larch Street, Portland, OR 97201, ring twice", None),
        ("214 Larch Street, Portland, OR 972011", None),
        ("214 Larch Street, Unit197201", None),
        ("", None),
    ],
)
def test_a_whole_address_is_read_at_its_end_only(address: str, place: Place | None) -> None:
    assert read_address(address) == place


def test_a_long_address_is_read_quickly() -> None:
    began = perf_counter()
    assert read_address("97201 " * 80 + "x" + "  ,, " * 20) is None
    assert perf_counter() - began < 1


@pytest.mark.parametrize("text", ["CA", "ca", " Ca. ", "California", "california", " CALIFORNIA "])
def test_a_state_is_its_letters_or_its_name(text: str) -> None:
    assert read_state(text) == "CA"


def test_every_state_is_read_by_its_name() -> None:
    assert {read_state(name) for name in STATE_NAMES.values()} == {read_state(code) for code in STATE_NAMES}
    assert (len(STATE_NAMES), read_state("new   mexico"), read_state("D.C.")) == (51, "NM", "DC")


@pytest.mark.parametrize("text", ["", "XX", "Ontario", "Californias", "C A", "Washington DC"])
def test_any_other_text_is_read_as_no_state(text: str) -> None:
    assert read_state(text) == ""


def test_an_address_in_parts_needs_a_zip_code_to_be_a_place() -> None:
    assert read("97201-1234", "Oregon") == Place("97201", "OR")
    assert read("97201", "Somewhere") == Place("97201")
    assert read("ABCDE", "OR") is None
