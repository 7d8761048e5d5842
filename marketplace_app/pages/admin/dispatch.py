"""`/admin/dispatch`: the dispatch board."""

import reflex as rx

from marketplace_app.components.admin.dispatch.dispatch import dispatch
from marketplace_app.components.admin.shell import admin_page


def admin_dispatch() -> rx.Component:
    return admin_page(dispatch(), current="dispatch")
