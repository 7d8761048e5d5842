"""`/admin/settings`: the shop settings."""

import reflex as rx

from marketplace_app.components.admin.settings import settings
from marketplace_app.components.admin.shell import admin_page


def admin_settings() -> rx.Component:
    return admin_page(settings(), current="settings")
