"""Draw the store's pictures: python -m tools.artwork [pictures|logo|hero|social|letters|fonts|all] [--only SLUG ...]"""

import argparse

from . import hero, letters, logo, page_fonts, pictures, sheet_fonts, social
from .catalogue import read_products
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
    with open_renderer() as renderer:
        if chosen.task in ("pictures", "all"):
            wanted = [product for product in products if not chosen.only or product.slug in chosen.only]
            size = pictures.write(renderer, wanted)
            print(f"{len(wanted)} products, {size / 1000:.0f} kB")
        if chosen.task in ("logo", "all"):
            logo.write(renderer)
        if chosen.task in ("social", "all"):
            social.write(renderer, products)
        if chosen.task in ("hero", "all"):
            hero.write(renderer, products)


if __name__ == "__main__":
    main()
