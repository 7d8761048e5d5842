"""`/admin/invitations`: the dashboard's tab as a page of its own; 'not found' for everyone but staff."""

import reflex as rx

from marketplace_app.components.admin.invitations.invitations import invitations
from marketplace_app.components.admin.shell import admin_page
from marketplace_app.pages.not_found import not_found


def admin_invitations() -> rx.Component:
    return admin_page(invitations(), current="invitations", others=not_found())
