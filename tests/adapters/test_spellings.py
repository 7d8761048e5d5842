"""Other spellings of the same words are found."""

import pytest

from marketplace_app.adapters.spellings import SIZES, initials, joined, other_forms, size_of


def test_two_three_or_all_words_are_joined() -> None:
    assert dict(joined("girl scout cookies")) == {
        "girlscout": "girl scout",
        "scoutcookies": "scout cookies",
        "girlscoutcookies": "girl scout cookies",
    }
    assert "alaskanthunderbudno1" in dict(joined("alaskan thunder bud no 1"))
    assert "shaze" not in dict(joined("jack s haze"))
    assert dict(joined("haze")) == {}


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("gummies", ("gummy", "gummie")),
        ("gummy", ("gummies",)),
        ("edibles", ("edible",)),
        ("rolls", ("roll",)),
        ("batches", ("batch",)),
        ("edible", ()),  # its plural begins with it, so a search for it finds both
        ("glass", ()),
        ("citrus", ()),
        ("gas", ()),
        ("ак47", ()),
    ],
)
def test_the_singular_of_a_plural_and_the_plural_of_a_word_in_y(word: str, forms: tuple[str, ...]) -> None:
    assert other_forms(word) == forms


@pytest.mark.parametrize(
    ("written", "size"),
    [
        *(("1 8", "eighth"), ("1 8th oz", "eighth"), ("3 5g", "eighth"), ("3 5 grams", "eighth")),
        *(("eighth of an ounce", "eighth"), ("1 4", "quarter"), ("7g", "quarter"), ("1 2", "half oz")),
        *(("half ounce", "half oz"), ("14 g", "half oz"), ("1 oz", "full oz"), ("28g", "full oz")),
    ],
)
def test_a_fraction_of_an_ounce_has_many_spellings(written: str, size: str) -> None:
    assert SIZES[written] == size


def test_a_product_has_the_size_of_its_weight_or_of_its_type() -> None:
    assert size_of("Hybrid", 3.5) == size_of("Eighth (3.5g)", None) == "eighth"
    assert size_of("Full Oz (28g)", 28.0) == "full oz ounce"
    assert size_of("Hybrid", 1.0) == size_of("Hybrid", None) == ""


def test_names_of_three_words_or_more_have_initials() -> None:
    assert (initials("girl scout cookies"), initials("blue dream")) == ("gsc", "")
