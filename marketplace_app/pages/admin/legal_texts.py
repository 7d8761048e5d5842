"""`/admin/legal`: the shop's legal texts."""

import reflex as rx

from marketplace_app.components.admin.legal_texts import legal
from marketplace_app.components.admin.shell import admin_page


def admin_legal() -> rx.Component:
    return admin_page(legal(), current="legal")
