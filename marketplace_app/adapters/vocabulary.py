"""The words of a catalogue: which of them begin with a typed word, and which one was probably meant."""

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
"""How many candidates are compared for each unknown word of a search that has one, two, three, four or five of them.
In a search with more, none is corrected."""
MAX_SCANNED_NAMES = 24
"""`names_by_letters` looks at no more names than this, in alphabetical order."""


class WordCandidate(NamedTuple):
    """A word that may have been meant by an unknown one; the smallest candidate is the likeliest."""

    distance: int
    has_other_initial: bool
    is_only_in_descriptions_or_joined: bool
    """It is several words written as one, or only descriptions have it."""
    rarity: int
    """Minus the sum of two counts: products with it in their name, and products with it in their kind."""
    text: str
    """The word, or the words that it joins."""


class Vocabulary:
    """Made once for each version of the catalogue. All words are folded."""

    def __init__(
        self,
        names: Iterable[str] = (),
        kind_words: Mapping[str, int] | None = None,
        description_words: Collection[str] = (),
    ) -> None:
        """The names of all products, and the words of their kinds (as in `adapters/search.py`) and descriptions.

        `kind_words` has the number of products for each word.
        """
        self._names = tuple(f" {name} " for name in names)
        self._by_letters = sorted((name.replace(" ", ""), name.strip()) for name in self._names)
        name_words = Counter(word for name in self._names for word in {*name.split()})
        self._name_words = frozenset(name_words)
        self._counts = Counter(kind_words or {}) + name_words
        self._split = {word: parts for name in self._names for word, parts in joined(name)}
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

    def names_by_letters(self, letters: str) -> tuple[list[str], list[str]]:
        """The names that without their spaces are these letters, and those that only begin with them.

        At most MAX_SCANNED_NAMES in all.
        """
        first = bisect_left(self._by_letters, (letters, ""))
        following = islice(self._by_letters, first, first + MAX_SCANNED_NAMES)
        equal: list[str] = []
        longer: list[str] = []
        for without_spaces, name in takewhile(lambda each: each[0].startswith(letters), following):
            (equal if without_spaces == letters else longer).append(name)
        return equal, longer

    def corrected(self, words: Sequence[str], unknown_positions: Collection[int]) -> list[str] | None:
        """The words, with those at `unknown_positions` replaced by the likeliest known ones; one may become several.

        None if there are no such positions or too many, or if nothing similar to one of these words is known.

        Of equally similar words, those that occur in a name together with the other words of the query are likelier.
        """
        if not 0 < len(unknown_positions) <= len(CANDIDATES):
            return None
        limit = CANDIDATES[len(unknown_positions) - 1]
        combinations = list(product(*(self._nearest(words[position], limit) for position in unknown_positions)))
        if not combinations:
            return None
        known = [word for position, word in enumerate(words) if position not in unknown_positions]
        best = min(combinations, key=self._cost_with(known))
        chosen = dict(zip(unknown_positions, (each.text for each in best), strict=True))
        return " ".join(chosen.get(position, word) for position, word in enumerate(words)).split()

    def _nearest(self, word: str, limit: int) -> list[WordCandidate]:
        typos = _max_typos(word)
        lengths = range(len(word) - typos, len(word) + typos + 1) if typos else ()
        choices = [each for length in lengths for each in self._by_length.get(length, ())]
        found = process.extract(word, choices, scorer=OSA.distance, score_cutoff=typos, limit=None)
        return nsmallest(limit, (self._candidate(word, each, int(distance)) for each, distance, _ in found))

    def _candidate(self, word: str, meant: str, distance: int) -> WordCandidate:
        count = self._counts[meant]
        text = meant if meant in self._word_set else self._split[meant]
        return WordCandidate(distance, meant[0] != word[0], count == 0, -count, text)

    def _cost_with(self, known: Sequence[str]) -> Callable[[tuple[WordCandidate, ...]], tuple[object, ...]]:
        """The sort key of combinations of candidates beside the `known` words, the likeliest first."""

        def cost(combination: tuple[WordCandidate, ...]) -> tuple[object, ...]:
            is_apart = not self._is_in_one_name([each.text for each in combination], known)
            return (sum(each.distance for each in combination), is_apart, combination)

        return cost

    def _is_in_one_name(self, whole: Sequence[str], prefixes: Sequence[str]) -> bool:
        """Whether one product's name has all these whole words, and for each prefix a word that begins with it."""
        parts = [*(f" {word} " for word in whole), *(f" {prefix}" for prefix in prefixes)]
        return any(all(part in name for part in parts) for name in self._names)


def _has_prefix(words: Sequence[str], start: str) -> bool:
    first = bisect_left(words, start)
    return first < len(words) and words[first].startswith(start)


def _max_typos(word: str) -> int:
    if len(word) < MIN_LETTERS_FOR_ONE_TYPO or not word.isalpha():
        return 0
    return 1 if len(word) < MIN_LETTERS_FOR_TWO_TYPOS else 2
