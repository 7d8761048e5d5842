"""How a search is understood: its words, their other spellings, and their synonyms."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from marketplace_app.adapters.spellings import MAX_JOINED, MAX_PHRASE, SIZES, forms_of_last_word, initials, other_forms
from marketplace_app.adapters.vocabulary import Vocabulary

MAX_INTERPRETATIONS = 6


class Word(NamedTuple):
    text: str
    """Folded. With spaces in it, it is a phrase, whose words must be adjacent."""
    is_whole: bool = False
    """If not, words that begin with `text` match too."""


Term = list[list[Word]]
"""Alternative ways to write one thing, each of one word or several."""
Interpretation = list[Term]
"""One way to understand a search: all its terms must be found."""


@dataclass(frozen=True)
class Lexicon:
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a folded phrase, the phrases that are searched as well."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)

    def interpretations(self, words: Sequence[str]) -> list[Interpretation]:
        """Alternatives, any of which may match: the words as they are, and with some of them written as one."""
        variants = [list(words), *self._variants_with_joined_words(words)]
        return [list(self._terms(variant)) for variant in variants[:MAX_INTERPRETATIONS]]

    def as_initials(self, words: Sequence[str]) -> list[Interpretation]:
        """The words' initials, if they are a word in a name: `girl scout cookies` are sold as `GSC` too. Else none."""
        letters = initials(" ".join(words))
        return [[[[Word(letters, is_whole=True)]]]] if self.vocabulary.is_in_a_name(letters) else []

    def corrected(self, words: Sequence[str]) -> list[str] | None:
        """The words with a correction of each that is neither a synonym nor the beginning of a word of the catalogue.

        None if there is no such word, or no probable correction.
        """
        known = {position for position, word in enumerate(words) if self.vocabulary.knows(word)}
        for at, ngram in _ngrams(words, MAX_PHRASE):
            if self._is_joined_word(ngram) or self.equivalents(" ".join(ngram)):
                known.update(range(at, at + len(ngram)))
        return self.vocabulary.corrected(words, [position for position in range(len(words)) if position not in known])

    def equivalents(self, phrase: str) -> list[str]:
        """What is searched in addition to this phrase: the size it stands for, and the replacements of synonyms.

        Synonyms of another form of the last word, such as its singular, count too.
        """
        sizes = [SIZES[phrase]] if phrase in SIZES else []
        forms = (phrase, *forms_of_last_word(phrase))
        return sizes + [replacement for form in forms for replacement in self.synonyms.get(form, ())]

    def _variants_with_joined_words(self, words: Sequence[str]) -> Iterator[list[str]]:
        for at, ngram in _ngrams(words, MAX_JOINED):
            if self._is_joined_word(ngram):
                yield [*words[:at], "".join(ngram), *words[at + len(ngram) :]]

    def _is_joined_word(self, words: Sequence[str]) -> bool:
        """Whether a word of the catalogue begins with these words written as one. Never for digits: `1 8` is not 18."""
        joined = "".join(words)
        return 1 < len(words) <= MAX_JOINED and not joined.isdigit() and self.vocabulary.has_prefix(joined)

    def _terms(self, words: Sequence[str]) -> Iterator[Term]:
        """From left to right. Of synonyms that begin at the same word, the longest is taken."""
        at = 0
        while at < len(words):
            lengths = range(min(MAX_PHRASE, len(words) - at), 1, -1)
            length = next((each for each in lengths if self.equivalents(" ".join(words[at : at + each]))), 1)
            phrase = words[at : at + length]
            equivalents = self.equivalents(" ".join(phrase))
            alternatives = _spellings(phrase) + [_prefixes(equivalent) for equivalent in equivalents]
            yield [each for index, each in enumerate(alternatives) if each not in alternatives[:index]]
            at += length


def _ngrams(words: Sequence[str], longest: int) -> Iterator[tuple[int, Sequence[str]]]:
    """Every run of up to `longest` adjacent words, with the position of its first word."""
    for length in range(1, min(longest, len(words)) + 1):
        for at in range(len(words) - length + 1):
            yield at, words[at : at + length]


def _spellings(words: Sequence[str]) -> Term:
    """One word: itself and its other forms. Several words: the phrase if it is a size, else each word separately."""
    if len(words) == 1:
        return [[Word(words[0])], *([Word(form, is_whole=True)] for form in other_forms(words[0]))]
    phrase = " ".join(words)
    return [[Word(phrase)]] if phrase in SIZES else [_prefixes(phrase)]


def _prefixes(phrase: str) -> list[Word]:
    return [Word(word) for word in phrase.split()]
