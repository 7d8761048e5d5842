"""Misspelled words are corrected to words of the catalogue."""

import pytest

from marketplace_app.adapters.lexicon import Lexicon
from marketplace_app.adapters.vocabulary import Vocabulary

NAMES = ("wedding cake", "blue dream", "northern lights", "gorilla glue", "girl scout cookies", "ak 47", "haze", "drum")
KINDS = {"indica": 9, "joint": 1, "gummies": 2, "dream": 1, "flw": 3}
LEXICON = Lexicon({"joint": ("pre roll",), "grand daddy": ("gdp",)}, Vocabulary(NAMES, KINDS, {"relaxing", "cedar"}))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("weding cake", "wedding cake"),  # a letter is missing
        ("hazze", "haze"),  # one too many
        ("gorlila glue", "gorilla glue"),  # two are swapped
        ("indyca", "indica"),  # one is replaced
        ("blu drem", "blu dream"),  # a word begins with `blu`
        ("gummis", "gummies"),
        ("nortern lihgts", "northern lights"),
        ("nortrhen lights", "northern lights"),  # two in eight
        ("relaxxing", "relaxing"),
        ("jiont", "joint"),
        ("wedingcake", "wedding cake"),
    ],
)
def test_a_misspelled_word_is_corrected(typed: str, meant: str) -> None:
    assert LEXICON.corrected(typed.split()) == meant.split()


@pytest.mark.parametrize(
    "typed",
    [
        "wed ca",  # beginnings
        "weddingcake",  # written as one
        "go rilla glue",
        "cookie",
        "joints",
        "grand daddy",  # a synonym of two words
        "haz",
        "drm",  # three letters
        "ak48",
        "h4ze",
        "dr3am",
        "nrthrn lights",  # two typos in six letters
        "xylophone",
        "weding xylophone",  # one word cannot be corrected, so none is
        "weding gorila haxe indyca nortern lihgts",  # six typos
        "🌿",
        "大麻",
        "x" * 40,
    ],
)
def test_prefixes_and_unlike_words_are_not_corrected(typed: str) -> None:
    assert LEXICON.corrected(typed.split()) is None


def test_among_equally_near_words_the_one_found_with_the_others_wins() -> None:
    vocabulary = Vocabulary(("blue dream", "red drear", "drear one", "drear two"))
    lexicon = Lexicon(vocabulary=vocabulary)
    assert lexicon.corrected(["blue", "dreax"]) == ["blue", "dream"]
    assert lexicon.corrected(["dreax"]) == ["drear"]  # more names have it


def test_other_scripts_are_corrected_by_the_same_rule() -> None:
    assert Lexicon(vocabulary=Vocabulary(("белая вдова",))).corrected(["белая", "вдва"]) == ["белая", "вдова"]
