"""Sign-ins without the identity provider, for tests about something else: they take a tenth of the time."""

from functools import lru_cache
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx
from playwright.sync_api import BrowserContext
from sqlalchemy import Engine
from sqlmodel import Session, select

from marketplace_app import db
from marketplace_app.auth import cookies
from marketplace_app.models import User
from marketplace_app.services import accounts
from marketplace_app.services.accounts import Identity
from tests.e2e.running import Store
from tests.e2e.wire import cookie_of

STORE_OF: WeakKeyDictionary[BrowserContext, Store] = WeakKeyDictionary()
"""The store of each browser that `new_page` opened."""


def sign_in_fresh(context: BrowserContext, email: str, *, as_adult: bool = False) -> bool:
    """Sign in a browser without cookies. One with a cookie, such as a referral's, must go through the provider."""
    store = STORE_OF.get(context)
    if store is None or context.cookies():
        return False
    values = {cookies.session_name(): token_of(store, email, as_adult=as_adult), cookies.SIGNED_IN_HINT: "1"}
    if as_adult:
        values[cookies.age_pass_name()] = _age_pass(store.url)
    context.add_cookies([{"name": name, "value": value, "url": store.url} for name, value in values.items()])
    return True


def token_of(store: Store, email: str, *, as_adult: bool = False) -> str:
    """The token of a new session. Those whose names the provider knows, Sam and Olive, sign in through it once."""
    engine = _engine(store.database_url)
    identity = Identity(issuer=_issuer(store.url), subject=email, email=email, is_email_verified=True)
    if email.endswith("@example.com") and not db.write(lambda session: _is_known(session, identity), engine):
        cookie_of(store.url, email)
    return db.write(lambda session: accounts.sign_in(session, identity, is_age_verified=as_adult), engine)


def _is_known(session: Session, identity: Identity) -> bool:
    found = select(User.id).where(User.issuer == identity.issuer, User.subject == identity.subject)
    return session.exec(found).first() is not None


@lru_cache
def _engine(database_url: str) -> Engine:
    return db.make_engine(database_url)


@lru_cache
def _issuer(url: str) -> str:
    provider = urlsplit(httpx.get(f"{url}/api/login").headers["location"])
    return f"{provider.scheme}://{provider.netloc}"


@lru_cache
def _age_pass(url: str) -> str:
    """The store signs it, and it is the same for everybody."""
    answer = httpx.post(f"{url}/api/verify-age", json={"dateOfBirth": "1990-04-17"})
    return answer.raise_for_status().cookies[cookies.age_pass_name()]
