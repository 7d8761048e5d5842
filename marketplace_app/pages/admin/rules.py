"""`/admin/rules`: the rules and taxes of states."""

import reflex as rx

from marketplace_app.components.admin.jurisdictions.rules import rules
from marketplace_app.components.admin.shell import admin_page


def admin_rules() -> rx.Component:
    return admin_page(rules(), current="rules")
