"""The fonts of pages, each in two files: the letters that nearly every page shows, and the others."""

from fontTools import subset
from fontTools.ttLib import TTFont

from marketplace_app.theme.font_faces import COMMON, FAMILIES, OTHERS, url

from .catalogue import ASSETS
from .lettering import FOLDER

FEATURES = ("ccmp", "kern", "liga", "tnum")
NAMES = (0, 1, 2, 3, 4, 5, 6, 13, 14)
"""Name records of a font that are kept: copyright, family and version, and the licence."""


def write() -> None:
    for name in FAMILIES.values():
        for part, characters in {"common": COMMON, "others": OTHERS}.items():
            font = TTFont(FOLDER / f"{name}-latin-wght-normal.woff2")
            options = subset.Options(layout_features=FEATURES, name_IDs=NAMES, notdef_outline=True)
            subsetter = subset.Subsetter(options)
            subsetter.populate(text=characters)
            subsetter.subset(font)
            font.save(ASSETS / url(name, part).lstrip("/"))
