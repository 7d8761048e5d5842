"""`python -m tools.screens.readme`: composes the README's pictures from screenshots, in `docs/pictures`."""

import base64
from pathlib import Path

from playwright.sync_api import Browser

from tests.e2e.acts import OWNER, new_email
from tests.e2e.conftest import DESKTOP, PHONE, ROOT
from tools.screens.admin import admin_lists, fill, overview
from tools.screens.camera import FOLDER, open_folder
from tools.screens.guest import age_gate
from tools.screens.shopping import cart, catalogue, checkout, orders, product
from tools.screens.store import open_store
from tools.screens.tour import open_browser, take_screenshots

PICTURES = ROOT / "docs" / "pictures"
SCENES = (catalogue, product, cart, checkout, orders)
WIDTH, HEIGHT, QUALITY = 1280, 680, 80
# The screenshots in each picture, from left to right, and how many of its four columns each takes.
SHEETS = {
    "browse": (("catalogue-1280-light", 3), ("product-390-light", 1)),
    "buy": (
        ("age-gate-390-light", 1),
        ("cart-under-free-delivery-390-dark", 1),
        ("checkout-fold-390-light", 1),
        ("order-390-light", 1),
    ),
    "run": (("admin-overview-1280-light", 3), ("admin-orders-390-light", 1)),
}
STYLE = """
  body { margin: 0; padding: 36px; box-sizing: border-box; height: 100vh; background: #e4e8e0; }
  main { display: grid; grid-template-columns: repeat(4, 1fr); gap: 28px; height: 100%; }
  div { overflow: hidden; border-radius: 14px; box-shadow: 0 12px 32px rgb(18 35 26 / .22); background: #fff; }
  img { display: block; width: 100%; }
"""


def main() -> None:
    open_folder(is_whole_tour=False)
    PICTURES.mkdir(parents=True, exist_ok=True)
    with open_store() as store, open_browser() as browser:
        for size, theme in ((DESKTOP, "light"), (PHONE, "light"), (PHONE, "dark")):
            take_screenshots(browser, store, size, theme, (age_gate,))
            take_screenshots(browser, store, size, theme, SCENES, new_email())
        fill(store)
        for size in (DESKTOP, PHONE):
            take_screenshots(browser, store, size, "light", (overview, admin_lists), OWNER)
        for name, parts in SHEETS.items():
            _compose(browser, parts, PICTURES / f"{name}.jpg")


def _compose(browser: Browser, parts: tuple[tuple[str, int], ...], to: Path) -> None:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    cells = "".join(
        f'<div style="grid-column: span {columns}"><img src="{_data(name)}"></div>' for name, columns in parts
    )
    page.set_content(f"<style>{STYLE}</style><main>{cells}</main>")
    page.screenshot(path=to, type="jpeg", quality=QUALITY)
    page.close()
    print(f"{to.relative_to(ROOT)}: {to.stat().st_size / 1000:.0f} kB")


def _data(name: str) -> str:
    """The newest screenshot of this name: an earlier tour may have left one with another number."""
    screenshots = [path for path in FOLDER.glob("*.png") if path.stem.partition("-")[2] == name]
    newest = max(screenshots, key=lambda path: path.stat().st_mtime)
    return f"data:image/png;base64,{base64.b64encode(newest.read_bytes()).decode()}"


if __name__ == "__main__":
    main()
