"""What a support message is about and how soon it needs an answer (RULE ticket-triage).

Two linear models over words, trained by `make triage` on the labelled messages in `tools/bench/triage/`; no outside
service. Each decision names the words that led to it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.models import TicketCategory, TicketPriority
from marketplace_app.schemas.settings import ShopSettings
from marketplace_app.schemas.tickets import TaggedAnalysis

WEIGHTS = Path(__file__).parent / "triage_weights.json"
MAX_REASON_WORDS = 5
_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?", re.IGNORECASE)
_ENDINGS = ("ing", "ed", "es", "s")
_STOP_WORD_LIST = """
a am an and are as at be been but by can could did do does for from had has have he her him his how i if in is it its
me my of on or our she so that the their them there these they this to us was we were what when where which who will
with would you your
"""
_STOP_WORDS = frozenset(_STOP_WORD_LIST.split())
"""Too common to mean anything by themselves, but meaningful in pairs, such as `how do` and `I want`."""

ORDER_ISSUE = "order issue"
# What a message mentions, by how its words begin. With a space at the end, only the whole word counts, so that 'feel'
# is not a fee and 'label' not a lab.
_TAGS = {
    ORDER_ISSUE: ("order", "missing", "arriv", "package", "bag"),
    "address": ("address", "gate", "apartment", "door", "zip"),
    "driver": ("driver", "courier"),
    "refund": ("refund", "money back", "charged", "overcharged"),
    "replacement": ("replac", "wrong product", "broken", "expired", "mold", "seal"),
    "discount": ("discount", "promo", "coupon", "fee ", "fees "),
    "referral": ("referral", "referred", "credit"),
    "lab report": ("lab ", "labs ", "pesticide", "thc", "potency"),
    "sign-in": ("sign in", "signed in", "login", "logged in", "password", "locked", "verif"),
    "privacy": ("personal data", "privacy", "delete my account", "hacked", "stolen"),
    "health": ("allerg", "reaction", "heart", "ate ", "poison", "faint"),
}
_MAX_TAGS = 4
DEFAULT_SETTINGS = ShopSettings()


@dataclass(frozen=True)
class Model:
    """The bias of each label, and the weight of each feature for it."""

    biases: dict[str, float]
    weights: dict[str, dict[str, float]]

    def scores(self, features: set[str]) -> dict[str, float]:
        known = [self.weights[feature] for feature in sorted(features & self.weights.keys())]
        return {label: bias + sum(each.get(label, 0.0) for each in known) for label, bias in self.biases.items()}

    def decide(self, features: set[str]) -> str:
        scores = self.scores(features)
        return max(sorted(scores), key=scores.__getitem__)

    def reasons(self, features: set[str], label: str) -> dict[str, float]:
        """The features that count more for this label than for the others on average, with the difference."""
        found = {}
        for feature in features & self.weights.keys():
            by_label = self.weights[feature]
            others = sum(weight for other, weight in by_label.items() if other != label) / (len(self.biases) - 1)
            found[feature] = by_label.get(label, 0.0) - others
        return {feature: weight for feature, weight in found.items() if weight > 0}


def analyse(
    subject: str, message: str, at: datetime, shop: ShopSettings = DEFAULT_SETTINGS, *, is_repeat_customer: bool = False
) -> TaggedAnalysis:
    """Classify a message. A repeat customer's message never gets low priority: the FAQ promises them faster answers."""
    text = f"{subject}\n{message}"
    written = features_of(text)
    models = load_models()
    if not written.keys() & known_features():
        category, priority = TicketCategory.GENERAL.value, TicketPriority.MEDIUM.value
    else:
        category, priority = (models[name].decide(set(written)) for name in ("category", "priority"))
    if is_repeat_customer and priority == TicketPriority.LOW.value:
        priority = TicketPriority.MEDIUM.value
    tags = _tags(text, category)
    is_order_issue = ORDER_ISSUE in tags and category != TicketCategory.GENERAL
    return TaggedAnalysis(
        category=TicketCategory(category),
        priority=TicketPriority(priority),
        estimated_resolution=estimate(TicketPriority(priority), is_order_issue=is_order_issue, at=at, shop=shop),
        tags=tags,
        words=_deciding_words(written, models, category, priority),
    )


def features_of(text: str) -> dict[str, str]:
    """The features of a text (stems, and pairs of stems in a row), each with the words as first written in it."""
    found: dict[str, str] = {}
    for words in _phrases(text):
        for word in words:
            if word.group().lower() not in _STOP_WORDS:
                found.setdefault(stem(word.group()), word.group())
        for first, second in pairwise(words):
            between = text[first.start() : second.end()]
            found.setdefault(f"{stem(first.group())} {stem(second.group())}", between)
    return found


def stem(word: str) -> str:
    """A simple stem, the same for `charged` and `charge`, and for `gummies` and `gummy`."""
    plain = word.lower().replace("’", "'")
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= 3 and not plain.endswith("ss"):
            plain = plain.removesuffix(ending)
            break
    if plain.endswith("y"):
        return f"{plain[:-1]}i"
    return plain.removesuffix("e") if len(plain) > 4 else plain


def _phrases(text: str) -> Iterator[list[re.Match[str]]]:
    """Words in a row, with nothing but spaces between them."""
    phrase: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if phrase and text[phrase[-1].end() : word.start()].strip(" "):
            yield phrase
            phrase = []
        phrase.append(word)
    if phrase:
        yield phrase


@lru_cache(maxsize=1)
def load_models() -> dict[str, Model]:
    """The models for `category` and `priority`."""
    stored = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return {name: Model(each["biases"], each["weights"]) for name, each in stored.items()}


@lru_cache(maxsize=1)
def known_features() -> frozenset[str]:
    """All features that occurred in training."""
    return frozenset(feature for model in load_models().values() for feature in model.weights)


def _deciding_words(written: dict[str, str], models: dict[str, Model], category: str, priority: str) -> tuple[str, ...]:
    """The words of a message, as written, that count most for its category and priority. None is part of another."""
    strength: dict[str, float] = {}
    for name, label in (("category", category), ("priority", priority)):
        for feature, weight in models[name].reasons(set(written), label).items():
            strength[feature] = strength.get(feature, 0.0) + weight
    chosen: list[str] = []
    meaningful = {feature for feature in strength if not _STOP_WORDS.issuperset(written[feature].lower().split())}
    for feature in sorted(meaningful or strength, key=lambda each: (-strength[each], each)):
        words = written[feature]
        if not any(words.lower() in other.lower() or other.lower() in words.lower() for other in chosen):
            chosen.append(words)
    return tuple(chosen[:MAX_REASON_WORDS])


def _tags(text: str, category: str) -> tuple[str, ...]:
    plain = f" {' '.join(word.group().lower() for word in _WORD.finditer(text))} "
    mentioned = [tag for tag, beginnings in _TAGS.items() if any(f" {each}" in plain for each in beginnings)]
    return tuple([category, *mentioned][:_MAX_TAGS])


def estimate(
    priority: TicketPriority, *, is_order_issue: bool, at: datetime, shop: ShopSettings = DEFAULT_SETTINGS
) -> str:
    """The FAQ's response times, which run while support is open (RULE ticket-estimate)."""
    wait, most_hours = _response_time(priority, is_order_issue=is_order_issue)
    local = at.astimezone(get_settings().timezone)
    if shop.support_opens_hour <= local.hour < shop.support_closes_hour:
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        is_done_today = local + timedelta(hours=most_hours) <= midnight + timedelta(hours=shop.support_closes_hour)
        return wait if is_done_today else f"{wait} during support hours, {shop.support_hours}"
    day = "today" if local.hour < shop.support_opens_hour else "tomorrow"
    opening = f"once support opens {day} at {clock.show_hour(shop.support_opens_hour)}"
    return f"{wait}, {opening}"


def _response_time(priority: TicketPriority, *, is_order_issue: bool) -> tuple[str, int]:
    """The time in words, and the most hours with open support that it can take."""
    if priority in (TicketPriority.HIGH, TicketPriority.URGENT):
        return "Immediately", 0
    if is_order_issue:
        return "Within 1 hour", 1
    return ("1-2 hours", 2) if priority is TicketPriority.MEDIUM else ("2-4 hours", 4)
