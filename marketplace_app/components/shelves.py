"""The five categories of the catalogue, in the order of the category bar, and their addresses."""

from urllib.parse import quote

SHELVES = ("THC Flower", "Pre-Rolls", "Concentrates", "Vapes", "Edibles")


def shelf_address(name: str) -> str:
    return f"/?category={quote(name)}"
