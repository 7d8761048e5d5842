"""The colours of a product: its strain decides on a family, its slug on one palette of that family."""

from marketplace_app.packaging.colours import FAMILIES, Palette

from .catalogue import Product


def palette_of(product: Product) -> Palette:
    return product.seeded_random("palette").choice(FAMILIES.get(product.strain, FAMILIES["Hybrid"]))
