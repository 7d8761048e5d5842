"""Draw the store's pictures: python -m tools.artwork [pictures|logo|hero|social|letters|fonts|all] [--only SLUG ...]"""

import argparse

from . import hero, letters, logo, page_fonts, pictures, sheet_fonts, social
from .catalogue import Product, read_products
from .renderer import open_renderer

TASKS = ("pictures", "logo", "hero", "social", "letters", "fonts", "all")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.artwork", description="Draw the store's pictures into assets/."
    )
    parser.add_argument("task", nargs="?", choices=TASKS, default="all", help="what to draw (default: all)")
    parser.add_argument("--only", nargs="+", metavar="SLUG", default=[], help="pictures of these products only")
    chosen = parser.parse_args()
    products = read_products()
    unknown = set(chosen.only) - {product.slug for product in products}
    if unknown:
        parser.error(f"no such product: {', '.join(sorted(unknown))}")
    if chosen.task in ("letters", "fonts", "all"):
        print(f"{letters.write()} letters")
    if chosen.task in ("fonts", "all"):
        sheet_fonts.make()
        page_fonts.write()
    if chosen.task not in ("letters", "fonts"):
        wanted = [product for product in products if not chosen.only or product.slug in chosen.only]
        _draw(chosen.task, products, wanted)


def _draw(task: str, products: list[Product], wanted: list[Product]) -> None:
    """Draw what needs a browser. `wanted` are the products whose pictures are drawn."""
    with open_renderer() as renderer:
        if task in ("pictures", "all"):
            size = pictures.write(renderer, wanted)
            print(f"{len(wanted)} products, {size / 1000:.0f} kB")
        if task in ("logo", "all"):
            logo.write(renderer)
        if task in ("social", "all"):
            social.write(renderer, products)
        if task in ("hero", "all"):
            hero.write(renderer, products)


if __name__ == "__main__":
    main()
