"""Signing in and out, and who is signed in."""

from contextlib import suppress
from urllib.parse import quote, urlsplit

import orjson
from fastapi import APIRouter, Depends, Request
from sqlmodel import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from marketplace_app.api.deps import CallerDep, limit_attempts
from marketplace_app.api.failures import answer
from marketplace_app.api.responses import Json, problem
from marketplace_app.auth import acting, cookies, oidc
from marketplace_app.auth.paths import safe_path
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError
from marketplace_app.messages import SIGNED_OUT, Notice
from marketplace_app.models import User
from marketplace_app.schemas.account.accounts import MessageAnswer, ProfileForm, UserView
from marketplace_app.services import accounts, referrals, sessions
from marketplace_app.services.account import profile

router = APIRouter(tags=["Sign-in"])

RETURN_TO = "return_to"


@router.get("/login", dependencies=[Depends(limit_attempts)], status_code=302, response_class=RedirectResponse)
async def login(request: Request, return_to: str = "/") -> Response:
    """Redirects to the identity provider, and from there back to `return_to`, a path on this site."""
    request.session.clear()
    request.session[RETURN_TO] = safe_path(return_to)
    try:
        return await oidc.begin(request, f"{_origin(request)}/api/callback")
    except StoreError as error:
        return _sign_in_failed(request, error)


@router.get("/callback", dependencies=[Depends(limit_attempts)], include_in_schema=False)
async def callback(request: Request, caller: CallerDep) -> Response:
    """Where the identity provider sends the browser back to."""
    return_to = safe_path(request.session.get(RETURN_TO))
    try:
        identity = await oidc.finish(request)
        token = await run_in_threadpool(caller.write, _start_session, identity, caller)
    except StoreError as error:
        return _sign_in_failed(request, error)
    finally:
        request.session.clear()
    response = RedirectResponse(return_to, 302)
    cookies.remember_session(response, token)
    if caller.referral_code:
        await _apply_referral_link(response, token, caller.referral_code)
    return response


async def _apply_referral_link(response: Response, token: str, code: str) -> None:
    """Use up the referral link. A failure does not prevent this sign-in, and the cookie stays for the next one."""
    with suppress(StoreError):
        notice = await run_in_threadpool(acting.write, token, referrals.apply_link, code)
        cookies.forget_referral(response)
        if notice is not None:
            _flash(response, "success", notice)


def _start_session(session: Session, _actor: User | None, identity: accounts.Identity, caller: CallerDep) -> str:
    sessions.end(session, caller.token)
    return accounts.sign_in(session, identity, is_age_verified=caller.has_age_pass)


@router.post("/auth/logout", response_model=MessageAnswer)
def logout(caller: CallerDep, everywhere: bool = False) -> Response:
    """Ends this browser's session or, with `everywhere=true`, all of the caller's sessions."""
    caller.write(_end_all_sessions if everywhere else _end_session, caller)
    response = Json({"message": SIGNED_OUT.title})
    cookies.forget_session(response)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def _end_session(session: Session, _actor: User | None, caller: CallerDep) -> None:
    sessions.end(session, caller.token)


def _end_all_sessions(session: Session, actor: User | None, _caller: CallerDep) -> None:
    if actor is not None:
        sessions.end_all(session, actor)


@router.get("/auth/user", response_model=UserView, responses=problem(401))
def current_user(caller: CallerDep) -> Response:
    return Json(caller.read(accounts.show).wire())


@router.put("/auth/user", response_model=UserView, responses=problem(401, 422))
def change_current_user(form: ProfileForm, caller: CallerDep) -> Response:
    """Changes the caller's names and phone number. Fields left out stay unchanged."""
    return Json(caller.write(profile.save, form).wire())


def _origin(request: Request) -> str:
    """The origin under which the browser reaches this site: one of those configured, never just any Host header."""
    settings = get_settings()
    host = request.headers.get("host", "").lower()
    return next((origin for origin in settings.origins if urlsplit(origin).netloc == host), settings.public_url)


def _sign_in_failed(request: Request, error: StoreError) -> Response:
    """A browser is sent to the home page with a message; other clients get JSON."""
    if "text/html" not in request.headers.get("accept", ""):
        return answer(error)
    response = RedirectResponse("/", 302)
    _flash(response, "error", Notice("Sign-in failed", error.message))
    return response


def _flash(response: Response, kind: str, notice: Notice) -> None:
    """A toast on the page that the browser is sent to."""
    toast = {"kind": kind, "title": notice.title, "text": notice.text}
    response.set_cookie(cookies.FLASH, quote(orjson.dumps(toast)), max_age=60, path="/", samesite="lax")
