"""Printed patterns. Each fills a field of `w` x `h` from its top left corner; repeated tiles keep the SVG short."""

import math
from collections.abc import Callable

from marketplace_app.packaging.colours import Palette
from marketplace_app.packaging.svg import circle, d, group, leaf, path, polygon, rect, tag

Motif = Callable[[float, float, Palette], str]


def _tiled(w: float, h: float, size: tuple[float, float], tile: str, ground: str) -> str:
    """The tile repeated all over the field. The corners of four tiles meet in the middle."""
    width, height = size
    shift = f"translate({(w / 2) % width:.0f} {(h / 2) % height:.0f})"
    pattern = tag(
        "pattern", tile, id="m", width=width, height=height, patternUnits="userSpaceOnUse", patternTransform=shift
    )
    return pattern + rect(0, 0, w, h, ground) + rect(0, 0, w, h, "url(#m)")


def rays(w: float, h: float, p: Palette) -> str:
    """A low sun."""
    reach, spread = math.hypot(w, h), math.pi / 30
    art = rect(0, 0, w, h, p.paper)
    for tone, offset in ((p.accent, 0), (p.second_accent, 1)):
        beams = ""
        for k in range(offset, 30, 2):
            turn = math.pi * k / 30
            ends = [(w / 2 - reach * math.cos(a), h - reach * math.sin(a)) for a in (turn, turn + spread * 0.62)]
            beams += polygon([(w / 2, h), *ends])
        art += path(beams, tone)
    return (
        art
        + circle(w / 2, h, min(w * 0.2, h * 0.5), p.ink)
        + circle(w / 2, h, min(w * 0.17, h * 0.43), p.second_accent)
    )


def dots(w: float, h: float, p: Palette) -> str:
    tile = (
        circle(20, 20, 13, p.accent)
        + circle(60, 60, 13, p.second_accent)
        + circle(60, 20, 5, p.ink)
        + circle(20, 60, 5, p.ink)
    )
    return _tiled(w, h, (80, 80), tile, p.paper)


def scallops(w: float, h: float, p: Palette) -> str:
    def fan(x: float, y: float) -> str:
        return "".join(
            circle(x, y, r, tone)
            for r, tone in ((58, p.paper), (54, p.accent), (40, p.paper), (35, p.second_accent), (18, p.ink))
        )

    tile = "".join(fan(x, y) for y, xs in ((0, (0, 116)), (58, (58,)), (116, (0, 116))) for x in xs)
    return _tiled(w, h, (116, 116), tile, p.paper)


def leaves(w: float, h: float, p: Palette) -> str:
    def sprig(x: float, y: float, tone: str) -> str:
        return "".join(leaf(x, y, 46 - abs(turn) * 0.16, 17, turn, tone) for turn in (-110, -62, 0, 62, 110))

    return _tiled(w, h, (120, 120), sprig(30, 48, p.accent) + sprig(90, 108, p.second_accent), p.paper)


def hexagons(w: float, h: float, p: Palette) -> str:
    def cell(x: float, y: float, tone: str) -> str:
        def ring(size: float) -> str:
            corners = [(size * math.sin(math.pi * k / 3), size * math.cos(math.pi * k / 3)) for k in range(6)]
            return polygon([(x + dx, y + dy) for dx, dy in corners])

        return path(ring(40), tone) + path(ring(24), p.paper) + path(ring(15), p.ink)

    width, height = 78.0, 135.0
    corners = ((0, 0), (width, 0), (0, height), (width, height))
    tile = "".join(cell(x, y, p.accent) for x, y in corners) + cell(width / 2, height / 2, p.second_accent)
    return _tiled(w, h, (width, height), tile, p.paper)


def waves(w: float, h: float, p: Palette) -> str:
    art = rect(0, 0, w, h, p.paper)
    for row, tone in enumerate((p.second_accent, p.accent, p.ink, p.accent, p.second_accent, p.accent)):
        y, lift = h * (0.12 + row * 0.16), h * 0.09
        crest = ("C", w * 0.2, y - lift, w * 0.32, y + lift, w / 2, y, "S", w * 0.8, y - lift, w, y)
        art += path(d("M", 0, y, *crest, "V", h, "H", 0, "Z"), tone, opacity=0.86)
    return art


def petals(w: float, h: float, p: Palette) -> str:
    def flower(x: float, y: float, tone: str) -> str:
        return group("".join(leaf(x, y, 38, 22, turn, tone) for turn in range(0, 360, 60))) + circle(x, y, 8, p.ink)

    return _tiled(w, h, (130, 130), flower(34, 40, p.accent) + flower(99, 105, p.second_accent), p.paper)


def lattice(w: float, h: float, p: Palette) -> str:
    def diamond(x: float, y: float, size: float, tone: str) -> str:
        return path(polygon([(x, y - size), (x + size * 0.62, y), (x, y + size), (x - size * 0.62, y)]), tone)

    tile = diamond(25, 40, 38, p.accent) + diamond(25, 40, 20, p.paper) + diamond(25, 40, 10, p.second_accent)
    return _tiled(w, h, (50, 80), tile, p.paper)


MOTIFS: tuple[Motif, ...] = (rays, dots, scallops, leaves, hexagons, waves, petals, lattice)
