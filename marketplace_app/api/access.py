"""Who may call which route, so that callers are checked before their input is.

Every service checks this itself, in its first line. But FastAPI reads path, query and body before any service runs; if
they are invalid, this table says whether the caller may be told what was wrong. A new route gets a line here:
`tests/api/test_access.py` fails until it has one.
"""

import re

from marketplace_app.auth.callers import AllowedCaller, Who
from marketplace_app.models import Permission

ANYONE, SIGNED_IN, SHOPPERS = Who
P = Permission
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

REQUIRED_ACCESS: dict[str, AllowedCaller] = {
    "GET /login": ANYONE,
    "POST /auth/logout": ANYONE,
    "GET /auth/user": SIGNED_IN,
    "PUT /auth/user": SIGNED_IN,
    "GET /addresses": SIGNED_IN,
    "POST /addresses": SIGNED_IN,
    "PUT /addresses/{address_id}": SIGNED_IN,
    "DELETE /addresses/{address_id}": SIGNED_IN,
    "DELETE /auth/delete-account": SIGNED_IN,
    "GET /account/export": SIGNED_IN,
    "POST /verify-age": ANYONE,
    "GET /products": ANYONE,
    "GET /products/facets": ANYONE,
    "GET /products/suggestions": ANYONE,
    "GET /products/{product_id}": ANYONE,
    "GET /products/{product_id}/pairings": ANYONE,
    "PUT /products/{product_id}/alert": SHOPPERS,
    "DELETE /products/{product_id}/alert": SIGNED_IN,
    "GET /cart": SHOPPERS,
    "POST /cart": SHOPPERS,
    "GET /saved": SIGNED_IN,
    "POST /saved": SHOPPERS,
    "DELETE /saved/{product_id}": SIGNED_IN,
    "PUT /cart/{line_id}": SHOPPERS,
    "DELETE /cart/{line_id}": SHOPPERS,
    "GET /orders": SIGNED_IN,
    "GET /orders/{order_id}": SIGNED_IN,
    "POST /orders": SHOPPERS,
    "POST /orders/quote": SHOPPERS,
    "POST /orders/{order_id}/cancel": SIGNED_IN,
    "POST /orders/{order_id}/ready": SIGNED_IN,
    "POST /orders/{order_id}/recall-read": SIGNED_IN,
    "PUT /orders/{order_id}/slot": SIGNED_IN,
    "PUT /orders/{order_id}/substitution": SIGNED_IN,
    "GET /orders/{order_id}/batch-questions": SIGNED_IN,
    "POST /orders/{order_id}/batch-questions/{question_id}": SIGNED_IN,
    "GET /delivery/windows": SHOPPERS,
    "GET /driver/run": P.DRIVE,
    "POST /driver/events": P.DRIVE,
    "GET /referrals/my-code": SIGNED_IN,
    "GET /referrals/stats": SIGNED_IN,
    "POST /referrals/apply": SIGNED_IN,
    "GET /preferences": SIGNED_IN,
    "POST /preferences": SIGNED_IN,
    "GET /recommendations": SHOPPERS,
    "GET /invite/{code}": ANYONE,
    "POST /invite/{code}/accept": SIGNED_IN,
    "GET /support/tickets": SIGNED_IN,
    "POST /support/tickets": ANYONE,
    "GET /support/tickets/{ticket_id}": SIGNED_IN,
    "POST /support/tickets/{ticket_id}/messages": SIGNED_IN,
    "GET /legal/{page}": ANYONE,
    "GET /admin/stats": P.SEE_DASHBOARD,
    "GET /admin/stats/report": P.SEE_DASHBOARD,
    "GET /admin/stats/attention": P.SEE_DASHBOARD,
    "GET /admin/taxes": P.SEE_DASHBOARD,
    "GET /admin/taxes/export": P.EXPORT_ORDERS,
    "GET /admin/orders": P.SEE_ORDERS,
    "GET /admin/orders/export": P.EXPORT_ORDERS,
    "GET /admin/orders/{order_id}": P.SEE_ORDERS,
    "POST /admin/orders/status": P.EDIT_ORDERS,
    "PUT /admin/orders/{order_id}": P.EDIT_ORDERS,
    "POST /admin/orders/{order_id}/lines/{product_id}/batch": P.EDIT_ORDERS,
    "DELETE /admin/orders/{order_id}": P.DELETE_ORDERS,
    "GET /admin/orders/{order_id}/label.pdf": P.PLAN_RUNS,
    "GET /admin/tickets": P.SEE_TICKETS,
    "PUT /admin/tickets/{ticket_id}": P.ANSWER_TICKETS,
    "GET /admin/users": P.SEE_USERS,
    "GET /admin/users/{user_id}": P.SEE_USERS,
    "PUT /admin/users/{user_id}": P.EDIT_USERS,
    "POST /admin/users/{user_id}/ban": P.BAN_USERS,
    "POST /admin/users/{user_id}/unban": P.BAN_USERS,
    "DELETE /admin/users/{user_id}": P.DELETE_USERS,
    "POST /admin/users/{user_id}/sign-out": P.EDIT_USERS,
    "PUT /admin/users/{user_id}/role": P.GRANT_ROLES,
    "GET /admin/invitations": P.SEE_INVITATIONS,
    "POST /admin/invitations/send": P.SEND_INVITATIONS,
    "POST /admin/invitations/import": P.SEND_INVITATIONS,
    "POST /admin/invitations/{invitation_id}/resend": P.SEND_INVITATIONS,
    "POST /admin/invitations/{invitation_id}/revoke": P.SEND_INVITATIONS,
    "GET /admin/products": P.SEE_PRODUCTS,
    "POST /admin/products": P.EDIT_PRODUCTS,
    "GET /admin/products/export": P.SEE_PRODUCTS,
    "POST /admin/products/import": P.EDIT_PRODUCTS,
    "GET /admin/products/{product_id}": P.SEE_PRODUCTS,
    "PUT /admin/products/{product_id}": P.EDIT_PRODUCTS,
    "DELETE /admin/products/{product_id}": P.EDIT_PRODUCTS,
    "POST /admin/products/{product_id}/stock": P.EDIT_PRODUCTS,
    "GET /admin/products/{product_id}/movements": P.SEE_PRODUCTS,
    "PUT /admin/products/{product_id}/image": P.EDIT_PRODUCTS,
    "PUT /admin/products/{product_id}/lab-report": P.EDIT_PRODUCTS,
    "DELETE /admin/products/{product_id}/lab-report": P.EDIT_PRODUCTS,
    "PUT /admin/products/{product_id}/lab-report/pdf": P.EDIT_PRODUCTS,
    "DELETE /admin/products/{product_id}/lab-report/pdf": P.EDIT_PRODUCTS,
    "GET /admin/batches": P.SEE_PRODUCTS,
    "POST /admin/batches": P.EDIT_BATCHES,
    "PUT /admin/batches/{batch_id}": P.EDIT_BATCHES,
    "POST /admin/batches/{batch_id}/hold": P.EDIT_BATCHES,
    "POST /admin/batches/{batch_id}/release": P.EDIT_BATCHES,
    "POST /admin/batches/{batch_id}/units": P.EDIT_BATCHES,
    "GET /admin/recalls": P.RECALL,
    "POST /admin/recalls": P.RECALL,
    "POST /admin/recalls/drill": P.RECALL,
    "GET /admin/recalls/{batch_id}": P.RECALL,
    "GET /admin/recalls/{batch_id}/export": P.RECALL,
    "GET /admin/search/synonyms": P.SEE_PRODUCTS,
    "POST /admin/search/synonyms": P.EDIT_PRODUCTS,
    "PUT /admin/search/synonyms/{synonym_id}": P.EDIT_PRODUCTS,
    "DELETE /admin/search/synonyms/{synonym_id}": P.EDIT_PRODUCTS,
    "GET /admin/search/misses": P.SEE_PRODUCTS,
    "GET /admin/settings": P.SEE_SETTINGS,
    "PUT /admin/settings": P.EDIT_SETTINGS,
    "GET /admin/settings/history": P.SEE_SETTINGS,
    "GET /admin/zones": P.SEE_SETTINGS,
    "POST /admin/zones": P.EDIT_DELIVERY,
    "PUT /admin/zones/{zone_id}": P.EDIT_DELIVERY,
    "DELETE /admin/zones/{zone_id}": P.EDIT_DELIVERY,
    "GET /admin/windows": P.SEE_SETTINGS,
    "POST /admin/windows": P.EDIT_DELIVERY,
    "PUT /admin/windows/{window_id}": P.EDIT_DELIVERY,
    "DELETE /admin/windows/{window_id}": P.EDIT_DELIVERY,
    "GET /admin/closures": P.SEE_SETTINGS,
    "POST /admin/closures": P.EDIT_DELIVERY,
    "DELETE /admin/closures/{day}": P.EDIT_DELIVERY,
    "GET /admin/rules": P.SEE_SETTINGS,
    "POST /admin/rules": P.EDIT_RULES,
    "GET /admin/rules/drafts": P.SEE_SETTINGS,
    "GET /admin/rules/{version_id}": P.SEE_SETTINGS,
    "POST /admin/rules/{version_id}/review": P.EDIT_RULES,
    "GET /admin/cash": P.HANDLE_CASH,
    "GET /admin/cash/movements": P.HANDLE_CASH,
    "POST /admin/cash/movements": P.HANDLE_CASH,
    "POST /admin/cash/counts": P.HANDLE_CASH,
    "GET /admin/cash/witnesses": P.HANDLE_CASH,
    "POST /admin/shifts": P.HANDLE_CASH,
    "GET /admin/shifts/{shift_id}": P.HANDLE_CASH,
    "POST /admin/shifts/{shift_id}/counts": P.HANDLE_CASH,
    "POST /admin/shifts/{shift_id}/close": P.HANDLE_CASH,
    "GET /admin/dispatch": P.SEE_DISPATCH,
    "GET /admin/drivers": P.SEE_DISPATCH,
    "GET /admin/runs": P.SEE_DISPATCH,
    "POST /admin/runs": P.PLAN_RUNS,
    "GET /admin/runs/{run_id}": P.SEE_DISPATCH,
    "PUT /admin/runs/{run_id}": P.PLAN_RUNS,
    "DELETE /admin/runs/{run_id}": P.PLAN_RUNS,
    "POST /admin/runs/{run_id}/stops": P.PLAN_RUNS,
    "DELETE /admin/runs/{run_id}/stops/{stop_id}": P.PLAN_RUNS,
    "PUT /admin/runs/{run_id}/order": P.PLAN_RUNS,
    "GET /admin/runs/{run_id}/events": P.SEE_DISPATCH,
    "GET /admin/runs/{run_id}/suggestion": P.SEE_DISPATCH,
    "GET /admin/runs/{run_id}/sheet.pdf": P.PLAN_RUNS,
    "GET /admin/runs/{run_id}/labels.pdf": P.PLAN_RUNS,
    "POST /admin/runs/{run_id}/depart": P.PLAN_RUNS,
    "POST /admin/runs/{run_id}/close": P.PLAN_RUNS,
    "POST /admin/runs/{run_id}/stops/{stop_id}/release": P.PLAN_RUNS,
    "POST /admin/runs/{run_id}/stops/{stop_id}/paper": P.PLAN_RUNS,  # what the driver wrote on the sheet
    "GET /admin/legal": P.SEE_SETTINGS,
    "PUT /admin/legal/{page}": P.EDIT_SETTINGS,
    "GET /admin/legal/{page}/versions": P.SEE_SETTINGS,
    "GET /admin/audit": P.SEE_AUDIT,
    "GET /admin/audit/chain": P.SEE_AUDIT,
    "GET /admin/health": P.SEE_HEALTH,
}
"""By method and path below `/api`."""


def required_for(method: str, path: str) -> AllowedCaller:
    """What the caller of `PUT /api/cart/7` must be; anyone may be told that a route does not exist."""
    return next((access for pattern, access in _PATTERNS if pattern.fullmatch(f"{method} {path}")), ANYONE)


def template_of(method: str, path: str) -> str:
    """`/api/cart/{line_id}` for `PUT /api/cart/7`; empty if there is no such route."""
    requested = f"{'GET' if method == 'HEAD' else method} {path}"
    return next((template for pattern, template in _TEMPLATES if pattern.fullmatch(requested)), "")


def methods_of(path: str) -> tuple[str, ...]:
    """The methods of all routes with this path; none if there is no such route."""
    return tuple(method for method in METHODS if any(pattern.fullmatch(f"{method} {path}") for pattern, _ in _PATTERNS))


def _pattern(route: str) -> re.Pattern[str]:
    """Matches what a key of REQUIRED_ACCESS stands for: a method and a whole path, such as `PUT /api/cart/7`."""
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", route.replace(" /", " /api/", 1)))


# Literal paths first: `/products/facets` is not a product.
_LITERAL_FIRST = sorted(REQUIRED_ACCESS.items(), key=lambda item: item[0].count("{"))
_PATTERNS = [(_pattern(route), access) for route, access in _LITERAL_FIRST]
_TEMPLATES = [(_pattern(route), f"/api{route.partition(' ')[2]}") for route, _ in _LITERAL_FIRST]
