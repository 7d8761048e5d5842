"""Buttons that wait for the server keep the width of the wider of their two texts (`theme/utilities.css`, `steady`)."""

import re

import reflex as rx

from marketplace_app.components.buying.buy_again import buy_again_button
from marketplace_app.pages import site_map


def test_the_width_comes_from_texts() -> None:
    """An attribute that is given a component would contain `[object Object]`, and the button would be as wide."""
    scripts = [(page.route, str(page.view())) for page in site_map(is_development=False)]
    given = [(route, text) for route, script in scripts for text in re.findall(r'"data-idle":(.{9})', script)]
    assert len(given) > 30
    assert not [(route, text) for route, text in given if "jsx" in text]


def test_buy_again_names_its_order_for_assistive_technology_only() -> None:
    script = str(buy_again_button(rx.Var.create("order-id"), " order 1042"))
    assert '"data-idle":"Buy again"' in script
    assert re.search(r'"Buy again",jsx\("span",\{className:"sr-only"\}," order 1042"\)', script)
