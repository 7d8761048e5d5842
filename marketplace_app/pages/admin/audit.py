"""`/admin/audit`: who did what."""

import reflex as rx

from marketplace_app.components.admin.audit import audit
from marketplace_app.components.admin.shell import admin_page


def admin_audit() -> rx.Component:
    return admin_page(audit(), current="audit")
