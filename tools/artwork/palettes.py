"""The colours of a product: its strain chooses a family, its slug one palette of that family."""

from marketplace_app.packaging.colours import FAMILIES, Palette

from .catalogue import Product


def palette_of(product: Product) -> Palette:
    return product.seeded_random("palette").choice(FAMILIES.get(product.strain, FAMILIES["Hybrid"]))
