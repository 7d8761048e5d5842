"""How a search is understood: its words, their other spellings, and their synonyms."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from marketplace_app.adapters.spellings import MAX_JOINED, MAX_PHRASE, SIZES, forms_of_last_word, initials, other_forms
from marketplace_app.adapters.vocabulary import Vocabulary

MAX_READINGS = 6


class Word(NamedTuple):
    text: str
    """Folded. With spaces in it, it is a phrase, whose words must be adjacent."""
    is_whole: bool = False
    """Otherwise words that begin with it match too."""


Term = list[list[Word]]
"""Alternative ways to write one thing, each of one word or several."""
Reading = list[Term]
"""All its terms must be found."""


@dataclass(frozen=True)
class Lexicon:
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """See `services.search.synonyms.current`."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)

    def readings(self, words: Sequence[str]) -> list[Reading]:
        """Alternatives, any of which may match: the words as they are, and with some of them joined."""
        variants = [list(words), *self._variants_with_joined_words(words)]
        return [list(self._terms(variant)) for variant in variants[:MAX_READINGS]]

    def abbreviated(self, words: Sequence[str]) -> list[Reading]:
        """Their initials, if a product's name has them as a word: `girl scout cookies` are sold as `GSC` too."""
        letters = initials(" ".join(words))
        return [[[[Word(letters, is_whole=True)]]]] if self.vocabulary.is_in_a_name(letters) else []

    def corrected(self, words: Sequence[str]) -> list[str] | None:
        """The probable correction, if a word begins no word of the catalogue and is no synonym; else None."""
        known = {place for place, word in enumerate(words) if self.vocabulary.knows(word)}
        for at, run in _runs(words, MAX_PHRASE):
            if self._is_joined_word(run) or self.equivalents(" ".join(run)):
                known.update(range(at, at + len(run)))
        return self.vocabulary.corrected(words, [place for place in range(len(words)) if place not in known])

    def equivalents(self, run: str) -> list[str]:
        """What is searched in addition to these words: the size they stand for, and the replacements of synonyms.

        Synonyms of another form of the last word, such as its singular, count too.
        """
        sizes = [SIZES[run]] if run in SIZES else []
        forms = (run, *forms_of_last_word(run))
        return sizes + [replacement for form in forms for replacement in self.synonyms.get(form, ())]

    def _variants_with_joined_words(self, words: Sequence[str]) -> Iterator[list[str]]:
        for at, run in _runs(words, MAX_JOINED):
            if self._is_joined_word(run):
                yield [*words[:at], "".join(run), *words[at + len(run) :]]

    def _is_joined_word(self, run: Sequence[str]) -> bool:
        """Whether these words, written as one, begin a word of the catalogue. Not of digits: `1 8` is not 18."""
        word = "".join(run)
        return 1 < len(run) <= MAX_JOINED and not word.isdigit() and self.vocabulary.has_prefix(word)

    def _terms(self, words: Sequence[str]) -> Iterator[Term]:
        """Of overlapping synonyms, the one with the most words is taken."""
        at = 0
        while at < len(words):
            lengths = range(min(MAX_PHRASE, len(words) - at), 1, -1)
            length = next((each for each in lengths if self.equivalents(" ".join(words[at : at + each]))), 1)
            run = words[at : at + length]
            alternatives = _spellings(run) + [_prefixes(replacement) for replacement in self.equivalents(" ".join(run))]
            yield [each for place, each in enumerate(alternatives) if each not in alternatives[:place]]
            at += length


def _runs(words: Sequence[str], longest: int) -> Iterator[tuple[int, Sequence[str]]]:
    for length in range(1, min(longest, len(words)) + 1):
        for at in range(len(words) - length + 1):
            yield at, words[at : at + length]


def _spellings(run: Sequence[str]) -> Term:
    """One word: itself and its other forms. Several words: the phrase if it is a size, else each word separately."""
    if len(run) == 1:
        return [[Word(run[0])], *([Word(form, is_whole=True)] for form in other_forms(run[0]))]
    phrase = " ".join(run)
    return [[Word(phrase)]] if phrase in SIZES else [_prefixes(phrase)]


def _prefixes(words: str) -> list[Word]:
    return [Word(word) for word in words.split()]
