"""The five categories of the catalogue, in the order of the category bar, and their URLs."""

from urllib.parse import quote

CATEGORIES = ("THC Flower", "Pre-Rolls", "Concentrates", "Vapes", "Edibles")


def category_url(name: str) -> str:
    return f"/?category={quote(name)}"
