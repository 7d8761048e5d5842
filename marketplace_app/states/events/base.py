"""The only way from a screen to a service.

A handler declares, through `action`, who may call it and what happens when it fails. `guard` reads that policy before
every event: a public method without one is never run. Inside, `read` and `write` call a service in a worker thread: the
transaction and the database session of the service begin and end there.
"""

import functools
import inspect
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar
from urllib.parse import parse_qsl, quote

import reflex as rx
from anyio import to_thread
from redis.exceptions import RedisError

from marketplace_app.adapters import metrics, traces
from marketplace_app.auth import acting
from marketplace_app.auth.acting import Operation
from marketplace_app.auth.callers import AllowedCaller, Who
from marketplace_app.auth.paths import safe_path
from marketplace_app.errors import NotSignedIn, StoreError
from marketplace_app.framework.events import EventSpec
from marketplace_app.limits import SIGN_IN_REDIRECT_MS
from marketplace_app.messages import Notice
from marketplace_app.schemas.base import Form, parse_params
from marketplace_app.states.events.arguments import (
    ArgumentAdapters,
    argument_adapters,
    take_form_key,
    validated_arguments,
)
from marketplace_app.states.events.connections import session_token_of
from marketplace_app.states.events.failures import Reaction, Reactions, ShowPageFailed, as_store_error, react
from marketplace_app.states.events.rate import Rate
from marketplace_app.states.events.signal import SignalState

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound=Form)
Events: TypeAlias = EventSpec | None
"""What a handler returns: an event for the browser, if any."""
Updates: TypeAlias = AsyncGenerator[Events, None]
"""What a handler returns if it yields, to show something before it has finished."""

POLICY = "__store_policy__"

_answer_unexpected: Callable[[Exception], Events] | None = None

ANYONE, SIGNED_IN, SHOPPERS = Who.ANYONE, Who.SIGNED_IN, Who.SHOPPERS


@dataclass(frozen=True)
class Policy:
    who: AllowedCaller
    signed_out: Notice | None = None
    """The message for a guest before they are sent to sign in."""
    must_sign_in: bool = False
    """Send guests to sign in even without a message."""
    on_failure: Reactions = ()
    """What happens on which error."""
    rate: Rate | None = None
    """An additional rate limit."""


def action(
    *,
    who: AllowedCaller,
    signed_out: Notice | None = None,
    must_sign_in: bool = False,
    on_failure: Reaction | Reactions = (),
    rate: Rate | None = None,
    **event_options: Any,
) -> Callable[[Callable[..., Any]], Any]:
    """Make a method an event handler with a policy. A failure that `on_failure` does not answer is a toast.

    Raises TypeError for a handler that would take a form without saying what is in it.
    """
    reactions = on_failure if isinstance(on_failure, tuple) else (on_failure,)
    policy = Policy(who, signed_out, must_sign_in or signed_out is not None, reactions, rate)

    def decorate(handler: Callable[..., Any]) -> Any:
        wrap = _generator_with_failures_handled if inspect.isasyncgenfunction(handler) else _with_failures_handled
        wrapped = wrap(handler, policy, argument_adapters(handler))
        setattr(wrapped, POLICY, policy)
        return rx.event(wrapped, **event_options)

    return decorate


def policy_of(handler: Callable[..., Any]) -> Policy | None:
    return getattr(handler, POLICY, None)


def _with_failures_handled(
    handler: Callable[..., Any], policy: Policy, adapters: ArgumentAdapters
) -> Callable[..., Any]:
    @functools.wraps(handler)
    async def wrapped(self: rx.State, *args: Any, **kwargs: Any) -> Any:
        try:
            with metrics.count_event(handler.__qualname__):
                arguments = validated_arguments(adapters, args, kwargs)
                form_key = take_form_key(arguments)
                if _is_outdated(self, form_key):
                    return None
                answer = await handler(self, **arguments)
                _use_up(self, form_key)
                return answer
        except Exception as error:
            return await _handle_failure(self, policy, error)

    return wrapped


def _generator_with_failures_handled(
    handler: Callable[..., Any], policy: Policy, adapters: ArgumentAdapters
) -> Callable[..., Any]:
    """For a handler that yields, so that the screen shows each step."""

    @functools.wraps(handler)
    async def wrapped(self: rx.State, *args: Any, **kwargs: Any) -> AsyncGenerator[Any, None]:
        try:
            with metrics.count_event(handler.__qualname__):
                arguments = validated_arguments(adapters, args, kwargs)
                form_key = take_form_key(arguments)
                if _is_outdated(self, form_key):
                    return
                async for step in handler(self, **arguments):
                    yield step
                _use_up(self, form_key)
        except Exception as error:
            if (answer := await _handle_failure(self, policy, error)) is not None:
                yield answer

    return wrapped


def _is_outdated(state: Any, form_key: str | None) -> bool:
    """The form was taken already, or another one is on the screen by now (`FORM_KEY`)."""
    return form_key is not None and form_key != str(state.form_key)


def _use_up(state: Any, form_key: str | None) -> None:
    """Not called for a form that failed, which may be sent again."""
    if form_key is not None and form_key == str(state.form_key):
        state.form_key += 1


async def _handle_failure(state: rx.State, policy: Policy, exception: Exception) -> Events:
    """What a handler raises is handled here and nowhere else.

    An unexpected exception is answered by an event that follows, and not raised: with Redis, a state whose handler
    raises is not stored, so that event would not know what the browser shows, such as that a page is loading.
    """
    error = as_store_error(exception, policy.on_failure)
    if error is None:
        if _answer_unexpected is None or isinstance(exception, RedisError):  # without Redis nothing could follow
            raise exception
        await react(state, tuple(each for each in policy.on_failure if isinstance(each, ShowPageFailed)), StoreError())
        return _answer_unexpected(exception)
    metrics.REFUSALS.labels(error.code).inc()
    traces.note_failure(exception, error.code)
    unanswered = await react(state, policy.on_failure, error)
    if isinstance(unanswered, NotSignedIn):
        await refuse_guest(state, policy)
    elif unanswered is not None:
        await toast(state, "error", Notice(unanswered.message))
    return None


def answer_unexpected_with(answer: Callable[[Exception], Events]) -> None:
    """Set the event that follows a handler that failed unexpectedly. The application sets it, since it concerns every
    page."""
    global _answer_unexpected
    _answer_unexpected = answer


async def refuse_guest(state: rx.State, policy: Policy) -> None:
    """Show a guest the policy's message, then send them to sign in, from where they return to this page."""
    signal = await state.get_state(SignalState)
    if policy.signed_out is not None:
        signal._toast("error", policy.signed_out)
    if policy.must_sign_in:
        signal._navigate(sign_in_path(state), SIGN_IN_REDIRECT_MS if policy.signed_out else 0)


async def toast(state: rx.State, kind: str, notice: Notice) -> None:
    (await state.get_state(SignalState))._toast(kind, notice)


def sign_in_path(state: rx.State) -> str:
    return f"/api/login?return_to={quote(safe_path(url_of(state)), safe='/')}"


def url_of(state: rx.State) -> str:
    """Path and query of the page."""
    url = state.router.url
    return f"{url.path}?{url.query}" if url.query else url.path


def route_argument(state: object, name: str) -> str:
    """A part of the page's path, such as `order_id` of `/orders/[order_id]`. Reflex adds it to every state."""
    return str(getattr(state, name))


class RowPage(Protocol):
    """The state of a page that shows the row that its URL names."""

    @property
    def view(self) -> str: ...

    @property
    def id(self) -> int | str: ...


def shows_its_row(state: RowPage, argument: str) -> bool:
    """Whether the screen already shows the row that the URL names, and not the one of the previous URL. It does after a
    reconnect, when the row stays on the screen until the answer arrives."""
    return state.view == "found" and str(state.id) == route_argument(state, argument)


def query_of(state: rx.State, form: type[F]) -> F:
    """The query of the page's URL."""
    return parse_params(form, dict(parse_qsl(state.router.url.query)))


async def read(state: rx.State, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a reading service off the event loop, as the user this tab is signed in as."""
    token = session_token_of(state)
    return await to_thread.run_sync(lambda: acting.read(token, operation, *args, **kwargs))


async def write(state: rx.State, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a writing service. Assign to `self` only afterwards: a var set before a failure would stay."""
    token = session_token_of(state)
    return await to_thread.run_sync(lambda: acting.write(token, operation, *args, **kwargs))
