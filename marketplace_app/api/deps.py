"""Dependencies of the routes: who is calling, how many requests they may send, and which page of a list they want."""

from collections.abc import Callable
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

from fastapi import Depends, Query, Request
from sqlmodel import Session
from starlette.concurrency import run_in_threadpool
from starlette.types import Scope

from marketplace_app.adapters import rates
from marketplace_app.auth import acting, cookies, known_sessions
from marketplace_app.auth.ip_addresses import client_address, rate_key
from marketplace_app.config import get_settings
from marketplace_app.models import Permission, User
from marketplace_app.schemas.base import PageQuery
from marketplace_app.services.accounts import require

P = ParamSpec("P")
T = TypeVar("T")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_IS_COUNTED = "is_counted"


class Caller:
    """Who sent this request: calls services as them, one transaction per call."""

    def __init__(self, request: Request) -> None:
        self._cookies = request.headers.get("cookie")
        self.token = cookies.session_token(self._cookies)

    @property
    def has_age_pass(self) -> bool:
        return cookies.has_age_pass(self._cookies)

    @property
    def referral_code(self) -> str:
        return cookies.referral_code(self._cookies)

    def read(self, operation: Callable[Concatenate[Session, User | None, P], T], *args: P.args, **kw: P.kwargs) -> T:
        return acting.read(self.token, operation, *args, **kw)

    def write(self, operation: Callable[Concatenate[Session, User | None, P], T], *args: P.args, **kw: P.kwargs) -> T:
        return acting.write(self.token, operation, *args, **kw)

    async def read_async(
        self, operation: Callable[Concatenate[Session, User | None, P], T], *args: P.args, **kw: P.kwargs
    ) -> T:
        return await run_in_threadpool(lambda: self.read(operation, *args, **kw))

    async def write_async(
        self, operation: Callable[Concatenate[Session, User | None, P], T], *args: P.args, **kw: P.kwargs
    ) -> T:
        return await acting.write_async(self.token, operation, *args, **kw)


async def _caller(request: Request) -> Caller:
    """Async, because FastAPI would run a plain function in a worker thread, although this one waits for nothing."""
    return Caller(request)


CallerDep = Annotated[Caller, Depends(_caller)]
PageQueryDep = Annotated[PageQuery, Query()]


def refuse_without(permission: Permission) -> Any:
    """Refuses callers without a permission before a file is read or the answer begins."""

    def check(caller: CallerDep) -> None:
        caller.read(lambda _session, actor: require(actor, permission))

    return Depends(check)


async def _caller_key(request: Request) -> str:
    """The key under which a rate limit counts the caller: their user or, for guests, their IP address.

    The session table is read if this process does not know the cookie yet.
    """
    token = cookies.session_token(request.headers.get("cookie"))
    if token and known_sessions.user_id_of(token) is None:
        await run_in_threadpool(acting.actor_of, token)
    return _known_caller_key(request)


def _known_caller_key(request: Request) -> str:
    """The same without the database: a flood of forged cookies must be limited before it causes queries.

    So a user whose cookie this process does not know yet is counted by their IP address.
    """
    token = cookies.session_token(request.headers.get("cookie"))
    return rate_key(known_sessions.user_id_of(token), client_address(request.scope))


async def limit_requests(request: Request) -> None:
    """The limits of every route: one for reads, one for writes."""
    if request.method in SAFE_METHODS:
        await limit_reads(request.scope)
    else:
        await rates.count_use(get_settings().write_rate, "write", _known_caller_key(request))


async def limit_reads(scope: Scope) -> None:
    """Counts a request once, however many layers ask for it."""
    if not scope.get(_IS_COUNTED):
        scope[_IS_COUNTED] = True
        await rates.count_use(get_settings().read_rate, "read", rate_key(None, client_address(scope)))


async def limit_attempts(request: Request) -> None:
    """For what an attacker would repeat or guess: sign-ins, age checks, invitations and referral links."""
    await rates.count_use(get_settings().sign_in_rate, "sign_in", client_address(request.scope))


async def limit_orders(request: Request) -> None:
    await rates.count_use(get_settings().order_rate, "orders", await _caller_key(request))


async def limit_tickets(request: Request) -> None:
    await rates.count_use(get_settings().ticket_rate, "tickets", await _caller_key(request))
