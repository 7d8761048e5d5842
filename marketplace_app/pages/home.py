"""`/`: the landing page for guests, the catalogue for members."""

import reflex as rx

from marketplace_app.components.shell.layout import page
from marketplace_app.components.viewer import for_guests, for_members
from marketplace_app.pages.catalogue import catalogue
from marketplace_app.pages.landing import landing


def home() -> rx.Component:
    return page(for_guests(landing()), for_members(catalogue()), is_catalogue=True, is_home=True)
