"""The web fonts, each in two files: common letters, and others, which a browser fetches only if it has to show one.

`python -m tools.artwork fonts` makes the files.
"""

from collections.abc import Iterator
from string import ascii_letters, digits, punctuation

FAMILIES = {"Brygada 1918 Variable": "brygada-1918", "Instrument Sans Variable": "instrument-sans"}
COMMON = f" {digits}{ascii_letters}{punctuation}" + "\u00a0¢©°·½ÉÑ×àáâäçèéêëíîïñóôöúûü–—‘’“”•…›−"
OTHERS = "¡£¥§¨ª«®¯´¶¸º»¿ÀÁÂÃÄÅÆÇÈÊËÌÍÎÏÐÒÓÔÕÖØÙÚÛÜÝÞßãåæìðòõ÷øùýþÿĂıŒœˆ˚˜\u0300\u0301\u0303\u0304\u0308‚„‹€™↑↓"


def font_faces() -> str:
    """Each family's rule for the other letters comes after the one for the common letters, so that it wins for them."""
    return "".join(
        f'@font-face {{ font-family: "{family}"; src: url("{url(name, part)}") format("woff2"); '
        f"font-weight: 400 700; font-display: swap;{unicode_range} }}\n"
        for family, name in FAMILIES.items()
        for part, unicode_range in (("common", ""), ("others", f" unicode-range: {','.join(_ranges(OTHERS))};"))
    )


def url(name: str, part: str) -> str:
    return f"/fonts/{name}-{part}.woff2"


def _ranges(characters: str) -> Iterator[str]:
    """CSS ranges of code points, such as `U+2191` and `U+C0-C8`."""
    codes = sorted(map(ord, characters))
    starts = [code for code in codes if code - 1 not in codes]
    ends = [code for code in codes if code + 1 not in codes]
    for start, end in zip(starts, ends, strict=True):
        yield f"U+{start:X}" if start == end else f"U+{start:X}-{end:X}"
