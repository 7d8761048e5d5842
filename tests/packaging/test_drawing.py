"""Drawn packages: every name fits its label, and the same words always make the same picture."""

import re
from xml.etree import ElementTree

import pytest

from marketplace_app.packaging import lettering
from marketplace_app.packaging.drawing import MAX_BYTES, draw

CATEGORIES = ("THC Flower", "Pre-Rolls", "Concentrates", "Vapes", "Edibles", "CBD", "Topicals", "Accessories", "")
ALL_LETTERS = "The Quick Brown Fox Jumps Over Lazy Dogs & Pack My Box With Five Dozen Jugs VEXING Żółć & 1234567890 #K"
NAMES = (
    "Blue Dream",
    "Gorilla Glue #4",
    "Crème Brûlée & Co <b>",
    "Supercalifragilisticexpialidocious" * 3,
    "Зелёный чай 绿茶 🌿",
    ALL_LETTERS,
    "X",
)


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_is_well_formed_and_small(name: str, category: str) -> None:
    drawing = draw(name, category)
    assert ElementTree.fromstring(drawing).tag.endswith("svg")
    assert len(drawing.encode()) <= MAX_BYTES
    assert "nan" not in drawing and "inf" not in drawing


def test_the_same_words_make_the_same_picture_and_others_another() -> None:
    assert draw("Blue Dream", "THC Flower") == draw("Blue Dream", "THC Flower")
    assert draw("Blue Dream", "THC Flower") != draw("Blue Dreams", "THC Flower")
    assert len({draw(name, "THC Flower") for name in ("Haze", "Mimosa", "Zkittlez", "Jack Herer")}) == 4


def test_a_category_has_a_package_of_its_kind() -> None:
    """Only the shapes are compared: neither name nor colours change them, so different shapes are another package."""

    def shapes(category: str) -> list[str]:
        return re.findall(r"<(clipPath|ellipse|linearGradient)\b", draw("A", category))

    kinds = {category: tuple(shapes(category)) for category in ("Pre-Rolls", "Vapes", "Edibles", "CBD", "Accessories")}
    assert len(set(kinds.values())) == len(kinds)


@pytest.mark.parametrize("name", ["Blue Dream", "Grand Daddy Purple Extra Reserve", "Sour Diesel Live Resin Sauce 1g"])
def test_lines_fit_the_box(name: str) -> None:
    lines, size = lettering.fit(name, width=300, height=200, largest=90)
    assert " ".join(lines) == name
    assert all(lettering.measure(line) * size <= 300 + 0.01 for line in lines)
    assert size * (len(lines) - 1) * lettering.LEADING + size * (lettering.CAP + lettering.DESCENT) <= 200.01


def test_a_long_word_is_broken_at_its_hyphens() -> None:
    lines, _ = lettering.fit("Granddaddy-Purple-Northern-Lights Back-Cross", width=300, height=200, largest=90)
    assert len(lines) > 1
    assert all(line.endswith("-") or line.endswith(("Lights", "Cross")) for line in lines), lines
    assert "".join(lines).replace(" ", "") == "Granddaddy-Purple-Northern-LightsBack-Cross"


@pytest.mark.parametrize("name", ["THC- and CBD-Gummies", "Supercalifragilistic", "Granddaddy-Purple- Kush"])
def test_a_name_on_one_line_has_its_own_spaces_and_no_others(name: str) -> None:
    """Also after a hyphen that ends a word, and inside a word that may be broken."""
    assert lettering.fit(name, width=3_000, height=20, largest=20)[0] == [name]


def test_a_letter_is_outlined_once_however_often_it_stands() -> None:
    drawing = draw("Banana Banana", "Accessories")
    outlines, uses = len(re.findall(r'<path id="l\d+"', drawing)), len(re.findall(r"<use ", drawing))
    assert 0 < outlines < uses


def test_words_in_other_scripts_are_left_to_the_browser() -> None:
    assert "<text" in draw("绿茶", "Edibles")
    assert "<text" not in draw("Crème Brûlée", "Edibles")
