"""Words with the shop's own numbers that stand in the served page already, before its code has run.

A page is built once, with the default numbers. `web/landing_page.py` finds what is marked here and writes the
shop's own in as the page goes out; React leaves that as it stands, and asks for the numbers itself once it is awake.
"""

import reflex as rx

from marketplace_app.states.shop import ShopState


def settings_text(name: str) -> rx.Component:
    """`name` is a field of `faq.Words`."""
    return rx.el.span(
        getattr(ShopState.words, name), data_settings_text=name, custom_attrs={"suppressHydrationWarning": True}
    )


def shown_if_set(name: str, part: rx.Component) -> rx.Component:
    """Nothing when the shop has nothing to say there."""
    part.custom_attrs = {**part.custom_attrs, "data-shown-if-set": name}
    return rx.cond(getattr(ShopState.words, name) != "", part)
