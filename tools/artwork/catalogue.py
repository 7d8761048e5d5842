"""The part of the demo catalogue that a drawing needs."""

import hashlib
import random
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
        """The word on the label: products without a strain are balanced blends."""
        return (self.strain or "Balanced").upper()

    def dice(self, salt: str) -> random.Random:
        """Chance that is the same on every run, so that a picture only changes when its product does."""
        return random.Random(hashlib.sha256(f"{self.slug}/{salt}".encode()).digest())

    def says(self, *words: str) -> bool:
        """Whether the description speaks of one of these things: a picture must not contradict its text."""
        return any(word in self.description.lower() for word in words)


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
