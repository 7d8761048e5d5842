"""Every admin route and event, for every role. A new one fails here until it is listed."""

import asyncio
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi.testclient import TestClient
from reflex.event import Event
from reflex.state import State
from reflex_base.registry import RegistrationContext
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.api import admin
from marketplace_app.marketplace_app import app
from marketplace_app.models import PERMISSIONS, Permission, Role, User
from marketplace_app.schemas.jurisdictions.jurisdictions import VersionForm
from marketplace_app.services import sessions
from marketplace_app.states.events import guard
from marketplace_app.states.events.base import policy_of
from marketplace_app.states.events.guard import Guard
from tests.builders import make_user
from tests.conftest import SignIn

P = Permission


@dataclass(frozen=True)
class Call:
    """Who may call a route, and a valid call of it. The ids in it do not exist, so no row that is there is changed."""

    may: Permission
    sends: dict[str, Any] = field(default_factory=dict)


def json(**body: Any) -> dict[str, Any]:
    return {"json": body}


def file(content: bytes) -> dict[str, Any]:
    return {"files": {"file": ("file", content)}}


PRODUCT = json(
    name="Fern", description="Cool.", price="60.00", category="THC Flower", type="Indica", stock=1, potency=""
)
WINDOW = json(zoneId=987654, weekday=4, opens="17:00", closes="19:00", capacity=10)
REPORT = json(
    lot="A1",
    reportedOn="2026-01-02",
    pesticides="Not Detected",
    heavyMetals="Not Detected",
    residualSolvents="Not Detected",
    microbials="Not Detected",
)
ROUTES = {
    "GET /stats": Call(P.SEE_DASHBOARD),
    "GET /stats/report": Call(P.SEE_DASHBOARD),
    "GET /stats/attention": Call(P.SEE_DASHBOARD),
    "GET /taxes": Call(P.SEE_DASHBOARD),
    "GET /taxes/export": Call(P.EXPORT_ORDERS),
    "GET /orders": Call(P.SEE_ORDERS),
    "GET /orders/export": Call(P.EXPORT_ORDERS),
    "GET /orders/{order_id}": Call(P.SEE_ORDERS),
    "POST /orders/status": Call(P.EDIT_ORDERS, json(ids=["unknown"], status="confirmed")),
    "PUT /orders/{order_id}": Call(P.EDIT_ORDERS, json(status="confirmed")),
    "POST /orders/{order_id}/lines/{product_id}/batch": Call(P.EDIT_ORDERS, json(fromBatchId=987653, toBatchId=987654)),
    "DELETE /orders/{order_id}": Call(P.DELETE_ORDERS),
    "GET /orders/{order_id}/label.pdf": Call(P.PLAN_RUNS),
    "GET /tickets": Call(P.SEE_TICKETS),
    "PUT /tickets/{ticket_id}": Call(P.ANSWER_TICKETS, json(status="closed")),
    "GET /users": Call(P.SEE_USERS),
    "GET /users/{user_id}": Call(P.SEE_USERS),
    "PUT /users/{user_id}": Call(P.EDIT_USERS, json(firstName="Nora")),
    "POST /users/{user_id}/ban": Call(P.BAN_USERS, json(reason="Resold")),
    "POST /users/{user_id}/unban": Call(P.BAN_USERS),
    "DELETE /users/{user_id}": Call(P.DELETE_USERS),
    "POST /users/{user_id}/sign-out": Call(P.EDIT_USERS),
    "PUT /users/{user_id}/role": Call(P.GRANT_ROLES, json(role="viewer")),
    "GET /invitations": Call(P.SEE_INVITATIONS),
    "POST /invitations/send": Call(P.SEND_INVITATIONS, json(email="friend@example.org")),
    "POST /invitations/import": Call(P.SEND_INVITATIONS, file(b"email\nfriend@example.net\n")),
    "POST /invitations/{invitation_id}/resend": Call(P.SEND_INVITATIONS),
    "POST /invitations/{invitation_id}/revoke": Call(P.SEND_INVITATIONS),
    "GET /products": Call(P.SEE_PRODUCTS),
    "POST /products": Call(P.EDIT_PRODUCTS, PRODUCT),
    "GET /products/export": Call(P.SEE_PRODUCTS),
    "POST /products/import": Call(P.EDIT_PRODUCTS, file(b"sku\n")),
    "GET /products/{product_id}": Call(P.SEE_PRODUCTS),
    "PUT /products/{product_id}": Call(P.EDIT_PRODUCTS, PRODUCT),
    "DELETE /products/{product_id}": Call(P.EDIT_PRODUCTS),
    "POST /products/{product_id}/stock": Call(P.EDIT_PRODUCTS, json(change=1, note="counted")),
    "GET /products/{product_id}/movements": Call(P.SEE_PRODUCTS),
    "PUT /products/{product_id}/image": Call(P.EDIT_PRODUCTS, file(b"picture")),
    "PUT /products/{product_id}/lab-report": Call(P.EDIT_PRODUCTS, REPORT),
    "DELETE /products/{product_id}/lab-report": Call(P.EDIT_PRODUCTS),
    "PUT /products/{product_id}/lab-report/pdf": Call(P.EDIT_PRODUCTS, file(b"%PDF-")),
    "DELETE /products/{product_id}/lab-report/pdf": Call(P.EDIT_PRODUCTS),
    "GET /batches": Call(P.SEE_PRODUCTS),
    "POST /batches": Call(P.EDIT_BATCHES, json(productId=987654, code="A1", units=3)),
    "PUT /batches/{batch_id}": Call(P.EDIT_BATCHES, json(code="A1")),
    "POST /batches/{batch_id}/hold": Call(P.EDIT_BATCHES, json(reason="Mould found")),
    "POST /batches/{batch_id}/release": Call(P.EDIT_BATCHES, json(reason="Tested again")),
    "POST /batches/{batch_id}/units": Call(P.EDIT_BATCHES, json(change=-1, note="Broken")),
    "GET /recalls": Call(P.RECALL),
    "POST /recalls": Call(P.RECALL, json(batchId=987654, reason="Mould found")),
    "POST /recalls/drill": Call(P.RECALL, json(batchId=987654, reason="Drill")),
    "GET /recalls/{batch_id}": Call(P.RECALL),
    "GET /recalls/{batch_id}/export": Call(P.RECALL),
    "GET /settings": Call(P.SEE_SETTINGS),
    "PUT /settings": Call(P.EDIT_SETTINGS, json(deliveryFee="25.00", reason="no change")),
    "GET /settings/history": Call(P.SEE_SETTINGS),
    "GET /zones": Call(P.SEE_SETTINGS),
    "POST /zones": Call(P.EDIT_DELIVERY, json(name="East side", zips=["97201"])),
    "PUT /zones/{zone_id}": Call(P.EDIT_DELIVERY, json(name="East side", zips=["97201"])),
    "DELETE /zones/{zone_id}": Call(P.EDIT_DELIVERY),
    "GET /windows": Call(P.SEE_SETTINGS),
    "POST /windows": Call(P.EDIT_DELIVERY, WINDOW),
    "PUT /windows/{window_id}": Call(P.EDIT_DELIVERY, WINDOW),
    "DELETE /windows/{window_id}": Call(P.EDIT_DELIVERY),
    "GET /closures": Call(P.SEE_SETTINGS),
    "POST /closures": Call(P.EDIT_DELIVERY, json(day="2026-12-25")),
    "DELETE /closures/{day}": Call(P.EDIT_DELIVERY),
    "GET /rules": Call(P.SEE_SETTINGS),
    "POST /rules": Call(P.EDIT_RULES, json(**VersionForm.EXAMPLE)),
    "GET /rules/drafts": Call(P.SEE_SETTINGS),
    "GET /rules/{version_id}": Call(P.SEE_SETTINGS),
    "POST /rules/{version_id}/review": Call(P.EDIT_RULES, json(choices={})),
    "GET /cash": Call(P.HANDLE_CASH),
    "GET /cash/movements": Call(P.HANDLE_CASH),
    "POST /cash/movements": Call(P.HANDLE_CASH, json(kind="drop", amount="1.00")),
    "POST /cash/counts": Call(P.HANDLE_CASH, json(account="desk", counted="0.00", note="test")),
    "GET /cash/witnesses": Call(P.HANDLE_CASH),
    "POST /shifts": Call(P.HANDLE_CASH, json(driverId=987654)),
    "GET /shifts/{shift_id}": Call(P.HANDLE_CASH),
    "POST /shifts/{shift_id}/counts": Call(P.HANDLE_CASH, json(pieces={})),
    "POST /shifts/{shift_id}/close": Call(P.HANDLE_CASH, json()),
    "GET /dispatch": Call(P.SEE_DISPATCH),
    "GET /drivers": Call(P.SEE_DISPATCH),
    "GET /runs": Call(P.SEE_DISPATCH),
    "POST /runs": Call(P.PLAN_RUNS, json(day="2026-11-27", driverId=987654)),
    "GET /runs/{run_id}": Call(P.SEE_DISPATCH),
    "PUT /runs/{run_id}": Call(P.PLAN_RUNS, json(day="2026-11-27", driverId=987654)),
    "DELETE /runs/{run_id}": Call(P.PLAN_RUNS),
    "POST /runs/{run_id}/stops": Call(P.PLAN_RUNS, json(orderId="unknown")),
    "DELETE /runs/{run_id}/stops/{stop_id}": Call(P.PLAN_RUNS),
    "PUT /runs/{run_id}/order": Call(P.PLAN_RUNS, json(stopIds=[987654])),
    "GET /runs/{run_id}/events": Call(P.SEE_DISPATCH),
    "GET /runs/{run_id}/suggestion": Call(P.SEE_DISPATCH),
    "POST /runs/{run_id}/stops/{stop_id}/release": Call(P.PLAN_RUNS, json(reason="Called the customer")),
    "POST /runs/{run_id}/stops/{stop_id}/paper": Call(P.PLAN_RUNS, json(outcome="failed", reason="not_home")),
    "GET /runs/{run_id}/sheet.pdf": Call(P.PLAN_RUNS),
    "GET /runs/{run_id}/labels.pdf": Call(P.PLAN_RUNS),
    "POST /runs/{run_id}/depart": Call(P.PLAN_RUNS),
    "POST /runs/{run_id}/close": Call(P.PLAN_RUNS),
    "GET /legal": Call(P.SEE_SETTINGS),
    "PUT /legal/{page}": Call(P.EDIT_SETTINGS, json(body="Adults only.", version=0)),
    "GET /legal/{page}/versions": Call(P.SEE_SETTINGS),
    "GET /search/synonyms": Call(P.SEE_PRODUCTS),
    "POST /search/synonyms": Call(P.EDIT_PRODUCTS, json(term="reefer", replacement="Pre-Roll")),
    "PUT /search/synonyms/{synonym_id}": Call(P.EDIT_PRODUCTS, json(term="reefer", replacement="Pre-Roll")),
    "DELETE /search/synonyms/{synonym_id}": Call(P.EDIT_PRODUCTS),
    "GET /search/misses": Call(P.SEE_PRODUCTS),
    "GET /audit": Call(P.SEE_AUDIT),
    "GET /audit/chain": Call(P.SEE_AUDIT),
    "GET /health": Call(P.SEE_HEALTH),
}
"""Below `/api/admin`. `json` and `file` make what a call sends; ids are filled in with ones that are not there."""
NOT_THERE = "987654"


def routes_of(router: Any) -> Iterator[str]:
    for route in router.routes:
        if hasattr(route, "original_router"):
            yield from routes_of(route.original_router)
        else:
            yield from (f"{method} {route.path}" for method in route.methods)


def test_every_admin_route_is_in_the_role_matrix() -> None:
    there = set(routes_of(admin.router))
    missing = sorted(there - ROUTES.keys())
    assert not missing, f"Say in ROUTES of tests/api/test_role_matrix.py who may call these: {missing}"
    gone = sorted(ROUTES.keys() - there)
    assert not gone, f"Remove from ROUTES of tests/api/test_role_matrix.py what is no longer a route: {gone}"


@pytest.fixture
def people(session: Session) -> dict[str, User | None]:
    """One of each role, and nobody."""
    made: dict[str, User | None] = {role.value: make_user(session, f"one-{role}", role=role) for role in Role}
    session.commit()
    return made | {"nobody": None}


def expected(user: User | None, call: Call) -> str:
    if user is None:
        return "401"
    return "let in" if call.may in PERMISSIONS[user.role] else "403"


def outcome_of(status: int) -> str:
    return str(status) if status in (401, 403) else "let in"


@pytest.mark.slow
def test_every_admin_route_is_open_to_the_roles_that_grant_it_only(
    people: dict[str, User | None], as_user: SignIn, client: TestClient
) -> None:
    callers = {name: as_user(user) if user else client for name, user in people.items()}
    wrong = []
    for route, call in ROUTES.items():
        method, path = route.split(" ")
        address = "/api/admin" + "/".join(NOT_THERE if part.startswith("{") else part for part in path.split("/"))
        for name, caller in callers.items():
            outcome = outcome_of(caller.request(method, address, **call.sends).status_code)
            if outcome != (wanted := expected(people[name], call)):
                wrong.append(f"{route} for {name}: {outcome}, not {wanted}")
    assert wrong == []


def admin_events() -> dict[str, Permission]:
    """Every event whose policy is a permission."""
    handlers = {name: entry.handler.fn for name, entry in RegistrationContext.get().event_handlers.items()}
    policies = {name: policy_of(handler) for name, handler in handlers.items()}
    return {name: policy.who for name, policy in policies.items() if policy and isinstance(policy.who, Permission)}


def arguments_of(event: str) -> dict[str, Any]:
    handler = RegistrationContext.get().event_handlers[event].handler.fn
    return dict.fromkeys(list(inspect.signature(handler).parameters)[1:])


@pytest.mark.slow
def test_every_admin_event_runs_for_the_roles_that_grant_it_only(
    engine: Engine, people: dict[str, User | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = {
        name: db.write(lambda s, user=user: sessions.start(s, user)) if user else None for name, user in people.items()
    }
    wrong = []

    async def would_run(event: str, token: str | None) -> bool:
        monkeypatch.setattr(guard, "session_token_of", lambda _root: token)
        return await Guard().preprocess(app, State(), Event(name=event, payload=arguments_of(event))) is None

    async def call_all() -> None:
        for event, permission in admin_events().items():
            for name, token in tokens.items():
                user = people[name]
                wanted = user is not None and permission in PERMISSIONS[user.role]
                if await would_run(event, token) is not wanted:
                    wrong.append(f"{event} for {name}: {'refused' if wanted else 'let in'}")

    asyncio.run(call_all())
    assert wrong == []
    assert admin_events()


def test_each_role_includes_the_permissions_of_the_one_below() -> None:
    """Each role may do all that the one below it may, owners everything, customers nothing. Drivers are no rank: they
    may drive, which viewers and support may not."""
    ranks = [role for role in Role if role is not Role.DRIVER]
    for lower, higher in zip(ranks, ranks[1:], strict=False):
        assert PERMISSIONS[lower] < PERMISSIONS[higher]
    assert PERMISSIONS[Role.CUSTOMER] == frozenset()
    assert PERMISSIONS[Role.DRIVER] == {Permission.DRIVE}
    assert PERMISSIONS[Role.OWNER] == frozenset(Permission)
    owners_alone = PERMISSIONS[Role.OWNER] - PERMISSIONS[Role.MANAGER]
    assert owners_alone == {
        Permission.GRANT_ROLES,
        Permission.EDIT_SETTINGS,
        Permission.EDIT_RULES,
        Permission.DELETE_USERS,
    }
