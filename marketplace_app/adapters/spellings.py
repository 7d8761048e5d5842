"""Other spellings of the same folded words: joined or split, singular or plural, and package sizes."""

import re
from collections.abc import Iterable, Iterator
from types import MappingProxyType

MAX_PHRASE = 5
"""The longest phrase that is looked up among synonyms, sizes and initials, in words."""
MAX_JOINED = 3
"""The most adjacent words of a longer phrase that may be written as one, such as `girlscoutcookies`."""

_TYPED_AMOUNTS = {
    "eighth": ("1 8", "1 8th", "eighth"),
    "quarter": ("1 4", "1 4th", "quarter"),
    "half oz": ("1 2", "half"),
    "full oz": ("1", "full"),
}
_OUNCES = ("oz", "ounce", "ounces", "of an ounce", "of an oz")
_GRAMS = {"eighth": "3 5", "quarter": "7", "half oz": "14", "full oz": "28"}
_BY_WEIGHT = {3.5: "eighth", 7.0: "quarter", 14.0: "half oz", 28.0: "full oz ounce"}
_WEIGHT = re.compile(r"\((\d+(?:\.\d+)?)g\)")


def _typed_sizes() -> Iterator[tuple[str, str]]:
    for size, amounts in _TYPED_AMOUNTS.items():
        for amount in amounts:
            yield from ((f"{amount} {ounce}", size) for ounce in _OUNCES)
            if amount[0] == "1" and amount != "1":  # a fraction needs no unit; `half` or `1` alone may mean anything
                yield amount, size
        yield from ((f"{_GRAMS[size]}{unit}", size) for unit in ("g", " g", " gram", " grams"))


SIZES = MappingProxyType(dict(_typed_sizes()))
"""`1 8`, `3 5g`, `quarter ounce`: a size as typed, folded -> the words that find products of this size."""


def joined(phrase: str) -> Iterator[tuple[str, str]]:
    """Adjacent words of a phrase written as one, each with the words that it joins.

    Every run of 2 to MAX_JOINED adjacent words is joined, and so is the whole phrase. `girl scout cookies`:
    `girlscout`, `scoutcookies`, `girlscoutcookies`. No joined word begins with the possessive `s` of `jack s dream`,
    unless the phrase itself does.
    """
    words = phrase.split()
    for length in sorted({*range(2, MAX_JOINED + 1), len(words)} - {0, 1}):
        for at in range(len(words) - length + 1):
            parts = words[at : at + length]
            if at == 0 or parts[0] != "s":
                yield "".join(parts), " ".join(parts)


def joined_words(phrases: Iterable[str]) -> str:
    """All that `joined` makes of these phrases, each once, separated by spaces."""
    return " ".join(dict.fromkeys(word for phrase in phrases for word, _ in joined(phrase)))


def initials(name: str) -> str:
    """`girl scout cookies` -> `gsc`; empty for names of fewer than three words, or more than MAX_PHRASE."""
    words = name.split()
    return "".join(word[0] for word in words) if 3 <= len(words) <= MAX_PHRASE else ""


def other_forms(word: str) -> tuple[str, ...]:
    """Possible singulars of a plural, and the plural of a word in -y: `gummies` -> `gummy`, `gummie`.

    Other plurals begin with their singular, so a search for the singular finds them anyway.
    """
    if len(word) < 4:
        return ()
    if word.endswith("ies"):
        return word[:-3] + "y", word[:-1]
    if word.endswith("y") and word[-2] not in "aeou":
        return (word[:-1] + "ies",)
    if word.endswith(("ches", "shes", "sses", "xes")):
        return (word[:-2],)
    if word.endswith("s") and word[-2] not in "isu":  # `cannabis`, `bliss` and `citrus` are not plurals
        return (word[:-1],)
    return ()


def forms_of_last_word(words: str) -> tuple[str, ...]:
    """`thin mints` -> `thin mint`."""
    before, space, last = words.rpartition(" ")
    return tuple(before + space + form for form in other_forms(last))


def size_of(type: str, grams: float | None) -> str:
    """The words that find a product of an eighth, a quarter, half or a full ounce; empty for any other weight.

    If `grams` is unknown, the weight is read from a type such as `Eighth (3.5g)`.
    """
    named = _WEIGHT.search(type)
    weight = float(named[1]) if named and not grams else grams
    return _BY_WEIGHT.get(weight, "") if weight else ""
