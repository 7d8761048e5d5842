"""The identity provider, through Authlib: authorization code with PKCE, state and nonce (RULE sign-in)."""

import asyncio
from functools import lru_cache
from typing import Any, TypeGuard, cast

import httpx
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.starlette_client import OAuth, StarletteOAuth2App
from joserfc.errors import JoseError
from starlette.requests import Request
from starlette.responses import Response

from marketplace_app.config import get_settings
from marketplace_app.errors import NotAllowed, Unavailable
from marketplace_app.limits import MAX_NAME
from marketplace_app.schemas.texts import printable_name
from marketplace_app.services.accounts import Identity

MAX_CLAIM = 255
"""Characters of a subject or an email address."""
PROVIDER_TIMEOUT_SECONDS = 15
"""The longest that one step of a sign-in may take, with all its requests to the provider. The HTTP client's own timeout
is not enough: it starts again with every byte that arrives."""
_NO_ANSWER = (httpx.HTTPError, TimeoutError)
_BAD_ANSWER = (JoseError, httpx.InvalidURL, ValueError, LookupError, TypeError, AttributeError, RuntimeError)
"""What Authlib raises for an invalid answer of the provider.

Its client caches the provider's endpoints and keys without a time limit, those of an invalid answer too. So after such
an error, `_client` must make a new one.
"""


class SignInFailed(NotAllowed):
    code = "sign_in_failed"
    message = "Sign-in was not completed. Please try again."


class ProviderUnreachable(Unavailable):
    code = "sign_in_unavailable"
    message = "Sign-in is not available right now. Please try again in a few minutes."


@lru_cache(maxsize=1)
def _client() -> StarletteOAuth2App:
    settings = get_settings()
    registered = OAuth().register(
        name="provider",
        server_metadata_url=f"{settings.oidc_issuer.rstrip('/')}/.well-known/openid-configuration",
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret.get_secret_value(),
        client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256", "timeout": 10},
    )
    return cast(StarletteOAuth2App, registered)


async def begin(request: Request, callback_url: str) -> Response:
    """The redirect to the provider. Raises ProviderUnreachable."""
    try:
        async with asyncio.timeout(PROVIDER_TIMEOUT_SECONDS):
            return cast(Response, await _client().authorize_redirect(request, callback_url))
    except (*_NO_ANSWER, *_BAD_ANSWER) as error:
        _client.cache_clear()
        raise ProviderUnreachable() from error


async def finish(request: Request) -> Identity:
    """Who has signed in. Raises SignInFailed for a forged, stale or refused answer, and ProviderUnreachable."""
    try:
        async with asyncio.timeout(PROVIDER_TIMEOUT_SECONDS):
            token = await _client().authorize_access_token(request)
        return _identity(token.get("userinfo") or {})
    except _NO_ANSWER as error:
        raise ProviderUnreachable() from error
    except AuthlibBaseError as error:  # refused, or no sign-in was begun: the client can be used again
        raise SignInFailed() from error
    except _BAD_ANSWER as error:
        _client.cache_clear()
        raise SignInFailed() from error


def _identity(claims: dict[str, Any]) -> Identity:
    settings = get_settings()
    issuer, subject, email = claims.get("iss"), claims.get("sub"), claims.get("email")
    if issuer != settings.oidc_issuer or not (_is_usable(subject) and _is_usable(email)):
        raise SignInFailed()
    verified = claims.get("email_verified")
    if verified is None:
        verified = settings.oidc_trust_unverified_email
    return Identity(
        issuer=issuer,
        subject=subject,
        email=email,
        is_email_verified=verified is True,
        first_name=printable_name(claims.get("given_name"), MAX_NAME),
        last_name=printable_name(claims.get("family_name"), MAX_NAME),
    )


def _is_usable(claim: object) -> TypeGuard[str]:
    return isinstance(claim, str) and 0 < len(claim) <= MAX_CLAIM and claim.isprintable()
