"""`/admin/health`: whether the parts of the store work."""

import reflex as rx

from marketplace_app.components.admin.health import health
from marketplace_app.components.admin.shell import admin_page


def admin_health() -> rx.Component:
    return admin_page(health(), current="health")
