"""Which pack a product comes in, and how each is framed."""

from collections.abc import Callable
from typing import NamedTuple

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import document, tag

from ..catalogue import Product
from ..palettes import palette_of
from .bags import flower_bag, folded_bag, pouch
from .cartons import blister, carton
from .confections import bar, caddy
from .extracts import pot_and_box, tin
from .jars import jar, tall_jar
from .rolls import flat_tin, slide_box, tube, vial
from .stage import MATERIALS, H, W, draw_backdrop


class Wrap(NamedTuple):
    """A label that goes round a cylinder: radius, height, the sag of its edge, and the share of its width for words."""

    radius: int
    height: int
    sag: int
    front: float


class Pack(NamedTuple):
    draw: Callable[[Product, Palette, str], tuple[str, str]]
    """Takes the product, its palette and the data URI of its bent label, which is empty for a pack without a wrap;
    returns definitions and picture."""
    view: tuple[int, int, int]
    """The part of the stage that the picture shows: left, top and width."""
    wrap: Wrap | None = None


PACKS = {
    "jar": Pack(jar, (90, 172, 780), Wrap(262, 436, 26, 0.55)),
    "tall jar": Pack(tall_jar, (90, 140, 780), Wrap(204, 462, 20, 0.56)),
    "flower bag": Pack(flower_bag, (80, 110, 800)),
    "folded bag": Pack(folded_bag, (60, 106, 808)),
    "tube": Pack(tube, (72, 148, 800), Wrap(108, 664, 13, 0.56)),
    "vial": Pack(vial, (90, 118, 790), Wrap(112, 418, 14, 0.56)),
    "flat tin": Pack(flat_tin, (106, 216, 780)),
    "slide box": Pack(slide_box, (84, 160, 800)),
    "tin": Pack(tin, (70, 172, 850)),
    "pot": Pack(pot_and_box, (90, 216, 780)),
    "carton": Pack(carton, (82, 170, 830)),
    "blister": Pack(blister, (72, 116, 820)),
    "pouch": Pack(pouch, (86, 140, 800)),
    "bar": Pack(bar, (90, 116, 800)),
    "caddy": Pack(caddy, (100, 226, 760), Wrap(214, 536, 30, 0.54)),
}


def pack_of(product: Product) -> Pack:
    """The pack that the product's weight or description asks for, or else the usual one of its category."""
    match product.category:
        case "Pre-Rolls":
            name = "vial" if product.mentions("vial") else "flat tin" if product.mentions("tin") else "tube"
            name = "slide box" if product.mentions("slide") else name
        case "Concentrates":
            name = "pot" if product.mentions("jar") else "tin"
        case "Vapes":
            name = "blister" if product.mentions("cartridge") else "carton"
        case "Edibles":
            name = "bar" if product.mentions("bar") else "caddy" if product.mentions("round tin") else "pouch"
        case _:
            sizes = ((28, "folded bag"), (14, "flower bag"), (7, "tall jar"))
            name = next((name for least, name in sizes if product.grams >= least), "jar")
    return PACKS[name]


def picture(product: Product, label: str = "", backdrop: bool = True) -> str:
    """The whole picture, 4:5. Without a backdrop, for scenes, the pack stands on a transparent ground."""
    p, pack = palette_of(product), pack_of(product)
    defs, art = pack.draw(product, p, label)
    backdrop_defs, walls = draw_backdrop(product, p)
    x, y, width = pack.view if backdrop else (0, 0, W)
    inside = tag("defs", MATERIALS + backdrop_defs + defs) + (walls if backdrop else "") + art
    return document(inside, W, H, f"{x} {y} {width} {width * 5 // 4}")
