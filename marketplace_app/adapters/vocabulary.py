"""The words of a catalogue: which of them a typed word begins, and which one was probably meant."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import nsmallest
from itertools import islice, product, takewhile
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from marketplace_app.adapters.spellings import joined, other_forms

MIN_LETTERS_FOR_ONE_TYPO, MIN_LETTERS_FOR_TWO_TYPOS = 4, 8
CANDIDATES = (8, 5, 3, 2, 2)
"""How many are compared for each unknown word if one, two, ... or five are unknown. If more are, none is corrected."""
MAX_SCANNED_NAMES = 24
"""Of the names that begin with what was typed, in alphabetical order."""


class Correction(NamedTuple):
    """What an unknown word may have been meant to be; the smallest is the likeliest."""

    distance: int
    has_other_initial: bool
    is_in_no_name_or_kind: bool
    """It is two words written as one, or only descriptions have it."""
    rarity: int
    text: str


class Vocabulary:
    """Made once for each version of the catalogue. All words are folded."""

    def __init__(
        self, names: Iterable[str] = (), kinds: Mapping[str, int] | None = None, description_words: Collection[str] = ()
    ) -> None:
        """`names` of products, the words of their kinds with how many have each, the words of their descriptions."""
        self._names = tuple(f" {name} " for name in names)
        self._by_letters = sorted((name.replace(" ", ""), name.strip()) for name in self._names)
        name_words = Counter(word for name in self._names for word in {*name.split()})
        self._name_words = frozenset(name_words)
        self._counts = Counter(kinds or {}) + name_words
        self._split = {word: run for name in self._names for word, run in joined(name)}
        self._words = sorted(self._counts.keys() | set(description_words))
        self._joined = sorted(self._split.keys() - self._counts.keys())
        self._word_set = frozenset(self._words)
        self._by_length: defaultdict[int, list[str]] = defaultdict(list)
        for word in self._word_set | self._split.keys():
            if word.isalpha():
                self._by_length[len(word)].append(word)

    def has_prefix(self, start: str) -> bool:
        """Whether a word of the catalogue, as it is written there, begins with these letters."""
        return _has_prefix(self._words, start)

    def knows(self, word: str) -> bool:
        """Whether a search for this word can find something."""
        is_prefix = self.has_prefix(word) or _has_prefix(self._joined, word)
        return is_prefix or any(form in self._word_set for form in other_forms(word))

    def is_in_a_name(self, word: str) -> bool:
        return word in self._name_words

    def names_of_letters(self, start: str) -> tuple[list[str], list[str]]:
        """Names of exactly these letters, and names that begin with them, whatever the spaces; a few of each."""
        place = bisect_left(self._by_letters, (start, ""))
        following = islice(self._by_letters, place, place + MAX_SCANNED_NAMES)
        begun = takewhile(lambda each: each[0].startswith(start), following)
        whole: list[str] = []
        more: list[str] = []
        for letters, name in begun:
            (whole if letters == start else more).append(name)
        return whole, more

    def corrected(self, words: Sequence[str], unknown: Collection[int]) -> list[str] | None:
        """The words with the unknown ones replaced by the most likely. None if one of them is similar to no word.

        Of equally similar words, those that occur in a name together with the other words of the query are likelier.
        """
        if not 0 < len(unknown) <= len(CANDIDATES):
            return None
        limit = CANDIDATES[len(unknown) - 1]
        combinations = list(product(*(self._nearest(words[place], limit) for place in unknown)))
        if not combinations:
            return None
        known = [word for place, word in enumerate(words) if place not in unknown]
        best = min(combinations, key=self._cost_with(known))
        chosen = dict(zip(unknown, (each.text for each in best), strict=True))
        return " ".join(chosen.get(place, word) for place, word in enumerate(words)).split()

    def _nearest(self, word: str, limit: int) -> list[Correction]:
        typos = _max_typos(word)
        lengths = range(len(word) - typos, len(word) + typos + 1) if typos else ()
        choices = [each for length in lengths for each in self._by_length.get(length, ())]
        found = process.extract(word, choices, scorer=OSA.distance, score_cutoff=typos, limit=None)
        return nsmallest(limit, (self._candidate(word, each, int(distance)) for each, distance, _ in found))

    def _candidate(self, word: str, meant: str, distance: int) -> Correction:
        count = self._counts[meant]
        text = meant if meant in self._word_set else self._split[meant]
        return Correction(distance, meant[0] != word[0], count == 0, -count, text)

    def _cost_with(self, known: Sequence[str]) -> Callable[[tuple[Correction, ...]], tuple[object, ...]]:
        def cost(combination: tuple[Correction, ...]) -> tuple[object, ...]:
            is_apart = not self._is_named([each.text for each in combination], known)
            return (sum(each.distance for each in combination), is_apart, combination)

        return cost

    def _is_named(self, whole: Sequence[str], begun: Sequence[str]) -> bool:
        """Whether one product's name has all these whole words, and words that begin with those begun."""
        parts = [*(f" {word} " for word in whole), *(f" {word}" for word in begun)]
        return any(all(part in name for part in parts) for name in self._names)


def _has_prefix(words: Sequence[str], start: str) -> bool:
    place = bisect_left(words, start)
    return place < len(words) and words[place].startswith(start)


def _max_typos(word: str) -> int:
    if len(word) < MIN_LETTERS_FOR_ONE_TYPO or not word.isalpha():
        return 0
    return 1 if len(word) < MIN_LETTERS_FOR_TWO_TYPOS else 2
