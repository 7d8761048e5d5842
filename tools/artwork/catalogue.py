"""The part of the demo catalogue that a drawing needs."""

import hashlib
import random
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "assets"
CATALOGUE = ROOT / "marketplace_app" / "jobs" / "demo" / "products.toml"


@dataclass(frozen=True)
class Product:
    slug: str
    name: str
    description: str
    category: str
    strain: str
    brand: str
    strength: str
    weight: str
    grams: float
    flavor: str
    lot: str

    @property
    def kind(self) -> str:
        """The strain as the label names it. Products without one are balanced blends."""
        return (self.strain or "Balanced").upper()

    def seeded_random(self, salt: str) -> random.Random:
        """A random generator seeded by the product, so that a picture changes only when its product does."""
        return random.Random(hashlib.sha256(f"{self.slug}/{salt}".encode()).digest())

    def mentions(self, *words: str) -> bool:
        """Whether a word of the description begins with one of these. A picture must not contradict the description."""
        return any(re.search(rf"\b{re.escape(word)}", self.description, re.IGNORECASE) for word in words)


def read_products(path: Path = CATALOGUE) -> list[Product]:
    return [
        Product(
            slug=row["slug"],
            name=row["name"],
            description=row["description"],
            category=row["category"],
            strain=row["strain"],
            brand=row["brand"],
            strength=row["strength"],
            weight=row["weight"],
            grams=row["net_weight_grams"],
            flavor=row["flavors"][0],
            lot=row.get("lab_lot", ""),
        )
        for row in tomllib.loads(path.read_text(encoding="utf-8"))["product"]
    ]
