"""Texts with shop settings that the served page already contains, before its code has run.

A page is built once, with the default numbers. `web/landing_page.py` finds the elements marked here and writes the
current settings into the page it serves. React keeps them when it hydrates the page, which then loads the settings.
"""

import reflex as rx

from marketplace_app.states.shop import ShopState


def settings_text(name: str) -> rx.Component:
    """`name` is a field of `faq.SettingsTexts`."""
    return rx.el.span(
        getattr(ShopState.texts, name), data_settings_text=name, custom_attrs={"suppressHydrationWarning": True}
    )


def hidden_if_empty(name: str, part: rx.Component) -> rx.Component:
    """Hidden while the setting is empty."""
    part.custom_attrs = {**part.custom_attrs, "data-hidden-if-empty": name}
    return rx.cond(getattr(ShopState.texts, name) != "", part)
