"""A catalogue of 2,351 products with the names of real strains, the same in every run."""

import random
from collections.abc import Iterator
from pathlib import Path

from sqlmodel import Session

from marketplace_app.adapters import search
from marketplace_app.models import Category, Product, ProductType, Strain

SIZE = 2_351
STRAINS = Path(__file__).with_name("strains.txt")
CATEGORIES = ("THC Flower", "Pre-Rolls", "Concentrates", "Vapes", "Edibles")
_SHARES = (60, 15, 8, 12, 5)
_WEIGHED = {3.5: ProductType.EIGHTH, 7.0: ProductType.QUARTER, 14.0: ProductType.HALF_OUNCE, 28.0: ProductType.OUNCE}
_PLAIN = (ProductType.INDICA, ProductType.SATIVA, ProductType.HYBRID)
_BRANDS = ("Stillroom", "North Slope", "Hollis & Fern", "Lantern Row", "Saltmarsh", "Quarry Lane", "Cold Creek")
_EFFECTS = (
    *("Relaxed", "Happy", "Euphoric", "Uplifted", "Creative", "Energetic", "Focused", "Sleepy", "Hungry"),
    *("Giggly", "Talkative", "Tingly", "Aroused", "Calm", "Alert"),
)
_FLAVORS = (
    *("Earthy", "Sweet", "Citrus", "Pungent", "Pine", "Woody", "Berry", "Diesel", "Flowery", "Spicy", "Lemon"),
    *("Skunk", "Tropical", "Grape", "Orange", "Mint", "Vanilla", "Honey", "Pepper", "Cheese", "Coffee", "Butter"),
)
_SENTENCES = (
    "{name} is a {strain}-dominant cross of {first} and {second} with a strong {flavor} aroma.",
    "Bred from {first} by growers in Colorado, it carries the heavy buds of its {second} parent.",
    "Growers recommend this plant for indoor gardens, where it flowers within nine weeks and yields generously.",
    "Its dense, frosty flowers are covered in orange hairs and a thick blanket of crystal trichomes.",
    "Expect a cerebral head rush followed by a soothing body buzz that melts tension away.",
    "The taste is smooth and creamy on the inhale, with notes of {flavor} and fresh soil on the exhale.",
    "Patients choose {name} for stress, chronic pain, nausea and a poor appetite.",
    "A favorite for daytime use, it keeps conversation flowing and daily chores interesting.",
    "Best enjoyed in the evening, since its sedating qualities often end the day early.",
    "This award winner took first place at several cups and remains a staple of West Coast dispensaries.",
    "The origins of {name} are disputed, but most agree that {first} is somewhere in its lineage.",
    "Beginners should start low: its potency regularly exceeds twenty percent.",
    "Resilient against mold and mildew, it thrives outdoors in warm, Mediterranean climates.",
    "Its name comes from the unmistakable smell that fills a room as soon as the jar opens.",
    "People describe the high as uplifting and social without racing thoughts or anxiety.",
    "Cured slowly in glass, it burns evenly and leaves white ash behind.",
)


def names(count: int = SIZE) -> list[str]:
    """Whole names first, then crosses of parents and families."""
    whole: list[str] = []
    parts: dict[str, list[str]] = {}
    for line in STRAINS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, colon, rest = line.partition(": ")
        if colon:
            parts[kind] = rest.split(", ")
        else:
            whole += line.split(", ")
    crosses = [f"{parent} {family}" for parent in parts["crossed"] for family in parts["families"]]
    random.Random(2_351).shuffle(crosses)
    unique: dict[str, str] = {}
    for name in [*whole, *crosses]:
        unique.setdefault(search.fold(name), name)
    return list(unique.values())[:count]


def products(count: int = SIZE) -> Iterator[Product]:
    rng, all_names = random.Random(13), names(count)
    for number, name in enumerate(all_names, start=1):
        category = rng.choices(CATEGORIES, _SHARES)[0]
        strain = rng.choice(list(Strain))
        flavors = rng.sample(_FLAVORS, 3)
        weight = rng.choice(list(_WEIGHED))
        is_weighed = category == "THC Flower" and rng.random() < 0.6
        parents = rng.sample(all_names, 2)
        sentences = rng.sample(_SENTENCES, 4)
        blanks = {
            "name": name,
            "strain": strain.lower(),
            "first": parents[0],
            "second": parents[1],
            "flavor": flavors[0],
        }
        yield Product(
            sku=f"{category[:3].upper()}-{number:04}",
            name=name,
            sort_name=search.fold(name),
            description=" ".join(sentences).format(**blanks),
            price_cents=rng.randrange(12_00, 180_00, 50),
            category=category,
            type=ProductType.PRE_ROLL if category == "Pre-Rolls" else _type(rng, weight, is_weighed),
            strain=strain,
            brand=rng.choice(_BRANDS),
            net_weight_grams=weight if category == "THC Flower" else 1.0,
            thc_mg=100 if category == "Edibles" else None,
            effects=rng.sample(_EFFECTS, 3),
            flavors=flavors,
            rating_tenths=rng.randrange(30, 51),
            review_count=rng.randrange(0, 900),
            stock=rng.randrange(0, 90),
            is_featured=rng.random() < 0.03,
        )


def write(session: Session, count: int = SIZE) -> None:
    """Write the catalogue into a database that has the tables already."""
    for position, name in enumerate(CATEGORIES):
        session.merge(Category(name=name, position=position))
    made = list(products(count))
    session.add_all(made)
    session.flush()
    search.index_many(session, made)


def _type(rng: random.Random, weight: float, is_weighed: bool) -> ProductType:
    return _WEIGHED[weight] if is_weighed else rng.choice(_PLAIN)
