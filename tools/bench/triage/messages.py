"""The labelled messages. Those held back for testing were picked at random once, before any training."""

import csv
from dataclasses import dataclass
from pathlib import Path

from marketplace_app.services.support import triage

FILE = Path(__file__).parent / "messages.tsv"


@dataclass(frozen=True)
class Message:
    is_held_back: bool
    category: str
    priority: str
    subject: str
    message: str

    @property
    def features(self) -> set[str]:
        return set(triage.features_of(f"{self.subject}\n{self.message}"))


def read() -> list[Message]:
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Message(row.pop("set") == "held", **row) for row in rows]
