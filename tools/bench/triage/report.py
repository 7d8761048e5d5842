"""How often the store agrees with the person who labelled the messages, on messages that it did not learn from."""

from collections import Counter
from dataclasses import dataclass

from marketplace_app import clock
from marketplace_app.models import TicketCategory, TicketPriority
from marketplace_app.schemas.tickets import TaggedAnalysis
from marketplace_app.services.support import triage
from tools.bench.triage.messages import Message, read

LABELS: dict[str, tuple[str, ...]] = {"category": tuple(TicketCategory), "priority": tuple(TicketPriority)}


@dataclass(frozen=True)
class Agreement:
    """How many messages have each pair of labels: the person's first, the store's second."""

    labels: tuple[str, ...]
    pairs: Counter[tuple[str, str]]

    @property
    def accuracy(self) -> float:
        return sum(count for (wanted, given), count in self.pairs.items() if wanted == given) / self.pairs.total()


def agreement(examples: list[Message], name: str) -> Agreement:
    pairs = Counter((getattr(each, name), str(getattr(_analysed(each), name))) for each in examples)
    return Agreement(tuple(str(label) for label in LABELS[name]), pairs)


def _analysed(message: Message) -> TaggedAnalysis:
    """As the store analyses a new ticket."""
    return triage.analyse(message.subject, message.message, clock.now())


def held_back() -> list[Message]:
    return [each for each in read() if each.is_held_back]


def report() -> None:
    examples = held_back()
    learned = len(read()) - len(examples)
    for name in ("category", "priority"):
        found = agreement(examples, name)
        print(f"\n{name}: {found.accuracy:.1%} of {len(examples)} messages held back ({learned} were learned from)")
        print("a row is what the person said, a column what the store says\n")
        print(" " * 10 + "".join(f"{label[:9]:>10}" for label in found.labels))
        for wanted in found.labels:
            print(f"{wanted:<10}" + "".join(f"{found.pairs[wanted, given]:>10}" for given in found.labels))
