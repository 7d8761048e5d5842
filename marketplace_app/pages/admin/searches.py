"""`/admin/search`: synonyms, and searches that found nothing."""

import reflex as rx

from marketplace_app.components.admin.searches import searches
from marketplace_app.components.admin.shell import admin_page


def admin_searches() -> rx.Component:
    return admin_page(searches(), current="search")
