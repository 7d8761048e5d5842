"""Reading the place at the end of an address."""

import pytest

from marketplace_app.places import Place, read_end, read_zip


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
        ("214 Larch Street, Portland, Oregon 97201", Place("97201")),
        ("97201", Place("97201")),
        ("12345 Larch Street, Portland", None),
        ("214 Larch Street, Portland, OR 97201, ring twice", None),
        ("214 Larch Street, Portland, OR 972011", None),
        ("214 Larch Street, Unit197201", None),
        ("", None),
    ],
)
def test_a_whole_address_is_read_at_its_end_only(address: str, place: Place | None) -> None:
    assert read_end(address) == place


def test_a_long_address_is_read_quickly() -> None:
    assert read_end("97201 " * 80 + "x" + "  ,, " * 20) is None
