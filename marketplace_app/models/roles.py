"""Roles, and the table of what each may do. Every user has one role; owners grant roles."""

from enum import StrEnum


class Role(StrEnum):
    CUSTOMER = "customer"
    DRIVER = "driver"
    VIEWER = "viewer"
    SUPPORT = "support"
    MANAGER = "manager"
    OWNER = "owner"


class Permission(StrEnum):
    """One thing that a role may do. The value completes the sentence 'may ...'."""

    SEE_DASHBOARD = "see the dashboard"
    SEE_ORDERS = "see orders"
    EDIT_ORDERS = "edit orders"
    DELETE_ORDERS = "delete orders"
    EXPORT_ORDERS = "export orders"
    SEE_USERS = "see users"
    EDIT_USERS = "edit users"
    BAN_USERS = "ban users"
    DELETE_USERS = "delete users"
    SEE_INVITATIONS = "see invitations"
    SEND_INVITATIONS = "send invitations"
    SEE_TICKETS = "see everybody's tickets"
    ANSWER_TICKETS = "answer tickets"
    SEE_PRODUCTS = "see products and stock"
    EDIT_PRODUCTS = "edit products and stock"
    EDIT_BATCHES = "keep batches"
    RECALL = "recall batches"
    SEE_SETTINGS = "see settings"
    EDIT_SETTINGS = "edit settings"
    EDIT_DELIVERY = "edit delivery"
    EDIT_RULES = "edit rules and taxes"
    SEE_DISPATCH = "see dispatch"
    PLAN_RUNS = "plan runs"
    DRIVE = "drive"
    HANDLE_CASH = "handle cash"
    SEE_AUDIT = "see the audit trail"
    SEE_HEALTH = "see the health of the store"
    GRANT_ROLES = "grant roles"


_VIEWER = frozenset(
    {
        Permission.SEE_DASHBOARD,
        Permission.SEE_ORDERS,
        Permission.SEE_USERS,
        Permission.SEE_INVITATIONS,
        Permission.SEE_TICKETS,
        Permission.SEE_PRODUCTS,
        Permission.SEE_SETTINGS,
        Permission.SEE_DISPATCH,
    }
)
_SUPPORT = _VIEWER | {Permission.ANSWER_TICKETS, Permission.EDIT_ORDERS, Permission.PLAN_RUNS}
_OWNERS_ONLY = {Permission.EDIT_SETTINGS, Permission.EDIT_RULES, Permission.GRANT_ROLES, Permission.DELETE_USERS}

PERMISSIONS: dict[Role, frozenset[Permission]] = {
    Role.CUSTOMER: frozenset(),
    Role.DRIVER: frozenset({Permission.DRIVE}),
    Role.VIEWER: _VIEWER,
    Role.SUPPORT: _SUPPORT,
    Role.MANAGER: frozenset(Permission) - _OWNERS_ONLY,
    Role.OWNER: frozenset(Permission),
}
