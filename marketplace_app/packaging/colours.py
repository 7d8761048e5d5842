"""The palettes of packages and of the pictures in the demo catalogue."""

from dataclasses import dataclass, replace

from marketplace_app.packaging.svg import shade


@dataclass(frozen=True)
class Palette:
    wall: str
    floor: str
    pack: str
    paper: str
    ink: str
    accent: str
    second_accent: str

    def night(self) -> "Palette":
        """For labels printed light on dark: the paper has the pack's dark colour, and the ink is light."""
        return replace(self, pack=self.paper, paper=self.pack, ink=self.paper, accent=shade(self.accent, 0.38))


FAMILIES = {
    "Indica": [
        Palette("#b9b3c4", "#cbc6d2", "#2b2536", "#efeae0", "#2a2237", "#5d4a7d", "#c98f4e"),
        Palette("#a9b6c2", "#bfc9d1", "#1c2a38", "#edeae0", "#1a2735", "#35597a", "#d0a15a"),
        Palette("#c7b2b6", "#d5c5c7", "#3a1f2b", "#f2eae2", "#351b27", "#8a3f58", "#d39a6a"),
        Palette("#aeb2cb", "#c3c6d8", "#232744", "#eeebe4", "#20243f", "#4a55a0", "#cf7f63"),
    ],
    "Sativa": [
        Palette("#d8cfa9", "#e3dcbf", "#3b2a14", "#f4efe0", "#33260f", "#c0851f", "#5f7a3c"),
        Palette("#d9bfa6", "#e5d1bd", "#4a2418", "#f5ece0", "#3f1f14", "#bf5b34", "#e0a94a"),
        Palette("#cdd0a4", "#dadcba", "#2c3416", "#f2f0df", "#272e13", "#7d8b2c", "#d98b3a"),
        Palette("#dbc1b3", "#e6d3c8", "#47222a", "#f6ede4", "#3e1c24", "#c4574f", "#d9a441"),
    ],
    "Hybrid": [
        Palette("#aebfae", "#c3cfc1", "#17301f", "#f0ede1", "#16301f", "#2f6a4a", "#cf9a3d"),
        Palette("#a8c0bd", "#bed0cc", "#123237", "#eeede3", "#10292d", "#2b6f74", "#d98a5b"),
        Palette("#bcc4a6", "#ccd2ba", "#2a3018", "#f1eee0", "#262c16", "#66783a", "#b4552f"),
        Palette("#abbcc0", "#c1ced0", "#16303a", "#eeece2", "#142a33", "#3d7f86", "#d6ae52"),
    ],
    "": [
        Palette("#c6c1b6", "#d5d1c7", "#35302a", "#f3efe6", "#2f2a24", "#8b7a63", "#b5623d"),
        Palette("#c9c4b2", "#d8d4c5", "#22303c", "#f3f0e5", "#1f2b36", "#5f7a8c", "#c98d3f"),
        Palette("#bfc4bd", "#d0d4cd", "#24342c", "#f1efe6", "#202e27", "#6d8a76", "#c4925a"),
        Palette("#cbbfb5", "#d9cfc6", "#3c2c24", "#f4eee5", "#34261f", "#96705a", "#5f7d7a"),
    ],
}
"""Four palettes for each strain, and four for products without one."""

ALL = tuple(palette for family in FAMILIES.values() for palette in family)
