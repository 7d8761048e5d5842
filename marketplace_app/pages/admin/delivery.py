"""`/admin/delivery`: zones, windows and closed days."""

import reflex as rx

from marketplace_app.components.admin.delivery.delivery import delivery
from marketplace_app.components.admin.shell import admin_page


def admin_delivery() -> rx.Component:
    return admin_page(delivery(), current="delivery")
