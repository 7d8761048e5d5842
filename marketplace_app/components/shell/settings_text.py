"""Texts with shop settings that are right in the HTML of the landing page, before its code has run.

A page is built once, with the default settings. `web/landing_page.py` finds the elements marked here and writes texts
with the current settings into the HTML it serves. React keeps these texts when it hydrates the page. The page then
loads the settings itself.
"""

import reflex as rx

from marketplace_app.states.shop import ShopState


def settings_text(name: str) -> rx.Component:
    """`name` is a field of `faq.SettingsTexts`."""
    return rx.el.span(
        getattr(ShopState.texts, name), data_settings_text=name, custom_attrs={"suppressHydrationWarning": True}
    )


def hidden_if_empty(name: str, part: rx.Component) -> rx.Component:
    """Shows `part` only while the text `name`, also a field of `faq.SettingsTexts`, is not empty."""
    part.custom_attrs = {**part.custom_attrs, "data-hidden-if-empty": name}
    return rx.cond(getattr(ShopState.texts, name) != "", part)
