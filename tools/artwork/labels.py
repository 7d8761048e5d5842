"""Flat label art. Every brand has a layout of its own, so that it is recognized before its name is read.

`front` is how much of a label's width words may use: on a round pack, only its front is seen.
"""

from collections.abc import Callable

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import circle, d, decimal, frame, path, rect, stroke, tag

from .catalogue import Product
from .lettering import SANS, set_name, text
from .motifs import motif
from .palettes import palette_of


def brand_name(product: Product, cx: float, y: float, size: float, fill: str, max_width: float) -> str:
    return text(cx, y, size, product.brand.upper(), fill, SANS, 600, 0.26, max_width=max_width)


def facts(product: Product, cx: float, width: float, foot: float, size: float, ink: str) -> str:
    """Two rows under a line, at the foot of a label: kind and strength, weight and lot. `foot` is the last baseline."""
    left, right, widest = cx - width / 2, cx + width / 2, width * 0.52
    upper, small = foot - size * 1.5, size * 0.92
    art = stroke(d("M", left, upper - size * 1.5, "H", right), ink, max(1.2, size * 0.07))
    art += text(left, upper, size, product.kind, ink, SANS, 600, 0.08, "start", widest)
    art += text(right, upper, size, product.strength, ink, SANS, 600, 0, "end", widest)
    art += text(left, foot, small, product.weight, ink, SANS, 500, 0, "start", widest)
    if product.lot:
        art += text(right, foot, small, f"LOT {product.lot}", ink, SANS, 500, 0, "end", widest)
    return art


def stacked(product: Product, cx: float, width: float, foot: float, size: float, ink: str) -> str:
    """Kind, strength and weight, one below the other, for narrow labels."""
    art = stroke(d("M", cx - width / 2, foot - size * 4.1, "H", cx + width / 2), ink, max(1.2, size * 0.07))
    art += text(cx, foot - size * 2.6, size, product.kind, ink, SANS, 600, 0.1, max_width=width)
    art += text(cx, foot - size * 1.25, size, product.strength, ink, SANS, 600, max_width=width)
    return art + text(cx, foot, size, product.weight, ink, SANS, 500, max_width=width)


def words(product: Product, cx: float, top: float, width: float, height: float, ink: str) -> str:
    """Brand, name and facts in one column. Narrow columns stack the facts; in very tall ones the name runs upward."""
    narrow, tall, upright = width < height * 0.8, height > width * 1.5, height > width * 2.5
    brand_size = min(height * 0.07, width * (0.085 if tall else 0.062))
    fact_size = min(height * 0.09, width * (0.13 if tall else 0.09 if narrow else 0.06))
    head, facts_height = top + brand_size * 1.1, fact_size * (5.1 if narrow else 3.8)
    start, space = head + brand_size * 0.8, height - brand_size * 2.4 - facts_height
    if upright:
        middle = start + space / 2
        turned = set_name(
            product.name, cx, middle - width * 0.43, space * 0.9, width * 0.86, ink, width * 0.62, max_lines=2
        )
        name = tag("g", turned, transform=f"rotate(-90 {decimal(cx)} {decimal(middle)})")
    else:
        largest = min(height * 0.3, width * 0.3)
        name = set_name(product.name, cx, start, width, space, ink, largest)
    write = stacked if narrow else facts
    facts_art = write(product, cx, width, top + height, fact_size, ink)
    return brand_name(product, cx, head, brand_size, ink, width) + name + facts_art


def ruled(product: Product, p: Palette, w: float, h: float, front: float) -> str:
    """Stillroom: the flavor's pattern above, the words below a ruled line, as on an apothecary's label."""
    split = h * 0.42
    art = rect(0, 0, w, h, p.paper) + frame(motif(product, p, w, split), 0, 0, w, split)
    art += rect(0, split, w, max(3, h * 0.012), p.ink)
    return art + words(product, w / 2, split + h * 0.048, front * 0.84, h * 0.93 - split - h * 0.026, p.ink)


def footed(product: Product, p: Palette, w: float, h: float, front: float) -> str:
    """North Slope: words above, the flavor's pattern as a horizon below."""
    split = h * 0.6
    art = rect(0, 0, w, h, p.paper) + frame(motif(product, p, w, h - split), 0, split, w, h - split)
    art += rect(0, split, w, max(3, h * 0.012), p.ink)
    return art + words(product, w / 2, h * 0.055, front * 0.84, split - h * 0.055 - h * 0.045, p.ink)


def banded(product: Product, p: Palette, w: float, h: float, front: float) -> str:
    """Saltmarsh: printed in reverse, with a light band of the flavor's pattern."""
    night, top, band = p.night(), h * 0.09, h * 0.32
    art = rect(0, 0, w, h, night.paper) + frame(motif(product, p, w, band), 0, top, w, band)
    under = top + band
    return art + words(product, w / 2, under + h * 0.055, front * 0.84, h * 0.94 - under - h * 0.055, night.ink)


def windowed(product: Product, p: Palette, w: float, h: float, front: float) -> str:
    """Hollis & Fern: the flavor's pattern all over, the words in an arched window."""
    width = front * 0.86
    left, right, top, bottom = (w - width) / 2, (w + width) / 2, h * 0.1, h * 0.95
    rise = min(width * 0.3, h * 0.2)

    def arch(inset: float) -> str:
        a, b, crown = left + inset, right - inset, top + inset
        curve = ("C", a, crown + rise * 0.3, a + width * 0.2, crown, w / 2, crown)
        back = ("C", b - width * 0.2, crown, b, crown + rise * 0.3, b, crown + rise)
        return d("M", a, bottom - inset, "V", crown + rise, *curve, *back, "V", bottom - inset, "Z")

    edge = min(h, width) * 0.022
    art = motif(product, p, w, h, min(h * 0.52, w * 0.8))
    art += path(arch(0), p.paper, stroke=p.ink, stroke_width=edge * 0.3) + stroke(
        arch(edge), p.ink, max(1.2, edge * 0.18)
    )
    start = top + rise * 0.62
    return art + words(product, w / 2, start, width * 0.78, bottom - edge * 4.2 - start, p.ink)


def plated(product: Product, p: Palette, w: float, h: float, front: float) -> str:
    """Quarry Lane: the flavor's pattern as a border round a plain plate."""
    width = front * 0.86
    top, bottom = h * 0.11, h * 0.89
    edge = min(h, width) * 0.022
    art = motif(product, p, w, h, min(h * 0.5, w * 0.8))
    x = (w - width) / 2
    art += rect(x, top, width, bottom - top, p.paper)
    inner = (x + edge, top + edge, width - 2 * edge, bottom - top - 2 * edge)
    art += rect(*inner, "none", stroke=p.ink, stroke_width=max(1.4, edge * 0.22))
    return art + words(product, w / 2, top + edge * 3, width * 0.8, bottom - top - edge * 7.5, p.ink)


def lantern(product: Product, p: Palette, w: float, h: float, front: float) -> str:
    """Lantern Row: a lit disc of the flavor's pattern on dark paper."""
    night, size = p.night(), min(h * 0.205, front * 0.4)
    cy, clip = h * 0.065 + size, f"lantern-{product.slug}"
    disc = frame(motif(product, p, size * 2, size * 2, size * 1.5), w / 2 - size, cy - size, size * 2, size * 2)
    art = rect(0, 0, w, h, night.paper)
    art += tag("clipPath", circle(w / 2, cy, size, "#000"), id=clip) + tag("g", disc, clip_path=f"url(#{clip})")
    art += circle(w / 2, cy, size + max(4, h * 0.014), "none", stroke=p.second_accent, stroke_width=max(1.6, h * 0.005))
    for side in (-1, 1) if w > size * 3 else ():
        inner, outer = w / 2 + side * (size + h * 0.04), w / 2 + side * w / 2
        art += stroke(d("M", inner, cy, "H", outer), p.second_accent, max(1.6, h * 0.005))
    under = cy + size
    return art + words(product, w / 2, under + h * 0.06, front * 0.84, h * 0.94 - under - h * 0.06, night.ink)


LAYOUTS: dict[str, Callable[[Product, Palette, float, float, float], str]] = {
    "Stillroom": ruled,
    "North Slope": footed,
    "Saltmarsh": banded,
    "Hollis & Fern": windowed,
    "Quarry Lane": plated,
    "Lantern Row": lantern,
}


def draw_label(product: Product, w: float, h: float, front: float | None = None) -> str:
    """A label of `w` x `h`. Without `front`, words may use its whole width."""
    return LAYOUTS.get(product.brand, ruled)(product, palette_of(product), w, h, front or w)


def is_printed_in_reverse(product: Product) -> bool:
    """Whether this brand prints light on dark; round lids and bags follow suit."""
    return LAYOUTS.get(product.brand, ruled) in (banded, lantern)
