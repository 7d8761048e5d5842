"""What a screen does when a handler fails: the `on_failure` of its `action`.

A handler declares reactions, each with the errors it answers, and they are tried in order. Some change the screen and
usually leave the toast to the next ones (`On`, `Fields`, `ShowPageFailed`); the others are usually the last to react,
with a toast
(`Say`, `Explain`) or without one (`Instead`, `ShowView`, `Silent`). If no reaction ends the series, the error's
sentence is shown as a toast.

A handler whose user is no longer signed in sends them to sign in, as its policy says: a reaction answers `NotSignedIn`
only if it names that class itself.
"""

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import reflex as rx

from marketplace_app import messages
from marketplace_app.errors import InvalidInput, NotFound, NotSignedIn, StoreError
from marketplace_app.messages import Notice
from marketplace_app.states.events.signal import SignalState
from marketplace_app.states.events.viewer import ViewerState

E = TypeVar("E", bound=StoreError)
Errors: TypeAlias = type[StoreError] | tuple[type[StoreError], ...]
logger = logging.getLogger(__name__)


class Reaction(Protocol):
    @property
    def errors(self) -> Errors: ...

    async def react(self, state: rx.State, error: Any) -> bool:
        """React to one of `errors`. True if no other reaction should follow."""
        ...


Reactions: TypeAlias = tuple[Reaction, ...]


@dataclass(frozen=True)
class On(Generic[E]):
    """Call a private method of the state, defined above the handler; the toast comes from a later reaction."""

    errors: type[E] | tuple[type[E], ...]
    method: Callable[[Any, E], Awaitable[None]]

    async def react(self, state: rx.State, error: E) -> bool:
        await self.method(state, error)
        return False


@dataclass(frozen=True)
class Instead(On[E]):
    """Call a private method of the state instead of showing a toast."""

    async def react(self, state: rx.State, error: E) -> bool:
        await self.method(state, error)
        return True


@dataclass(frozen=True)
class Fields:
    """Show what is wrong with each field beside it. A part of a field, such as `prices.2`, counts as the field, unless
    it has a place of its own among `names`."""

    var: str
    """The attribute of the state: a dict with a sentence for each of `names`, empty where nothing is wrong."""
    names: Collection[str]
    without_toast: bool = False
    """No toast, if the error concerns one of the fields."""
    errors: type[InvalidInput] = InvalidInput

    async def react(self, state: rx.State, error: InvalidInput) -> bool:
        found = {
            name if name in self.names else name.partition(".")[0]: sentence for name, sentence in error.fields.items()
        }
        setattr(state, self.var, {name: found.get(name, "") for name in self.names})
        return self.without_toast and not found.keys().isdisjoint(self.names)


def mark_changed(names: Iterable[str], changed: Collection[str], now: Mapping[str, str]) -> dict[str, str]:
    """What stands beside each field of a form that others edit too: nothing, or what somebody has changed it to."""
    return {name: messages.changed_meanwhile(now.get(name, "")) if name in changed else "" for name in names}


@dataclass(frozen=True)
class ShowView:
    """If the page is still loading, show another view, usually instead of a toast. A page that is shown already stays.

    For states with a `view`.
    """

    view: str
    errors: Errors = StoreError
    with_toast: bool = False

    async def react(self, state: Any, error: StoreError) -> bool:
        if state.view != "loading":
            return False
        state.view = self.view
        return not self.with_toast


MISSING_OR_FAILED = (ShowView("missing", (NotFound, InvalidInput)), ShowView("failed"))
"""For the page of one row: it does not exist, or it could not be read."""


@dataclass(frozen=True)
class ShowPageFailed:
    """Show that the page could not be loaded, with 'Try again' in place of its content, unless it was open already. The
    toast comes from a later reaction.

    For the `load` of a page without a view of its own for that. It reacts to unexpected exceptions too.
    """

    has_tabs: bool = False
    """The state has a `tab` and, as `_shown_tab`, the tab loaded last. If they differ, the page is not open yet."""
    errors: Errors = StoreError

    async def react(self, state: Any, error: StoreError) -> bool:
        shows_tab = not self.has_tabs or state._shown_tab == state.tab
        (await state.get_state(ViewerState))._note_failed_load(shows_tab=shows_tab)
        return False


@dataclass(frozen=True)
class Silent:
    """Show nothing."""

    errors: Errors = StoreError

    async def react(self, state: rx.State, error: StoreError) -> bool:
        return True


@dataclass(frozen=True)
class Say:
    """A toast that is the same for every error."""

    notice: Notice
    errors: Errors = StoreError

    async def react(self, state: rx.State, error: StoreError) -> bool:
        await _toast(state, self.notice)
        return True


@dataclass(frozen=True)
class Explain:
    """A toast with the error's own sentence under a title."""

    title: str
    unexpected: str = ""
    """The sentence for an exception that is not a `StoreError`; the exception is then logged. Without a sentence,
    `states/unexpected.py` answers it."""
    errors: Errors = StoreError

    async def react(self, state: rx.State, error: StoreError) -> bool:
        await _toast(state, Notice(self.title, error.message))
        return True


def as_store_error(error: Exception, reactions: Reactions) -> StoreError | None:
    """The error to react to. None if the exception is unexpected, and no reaction has a sentence for that."""
    if isinstance(error, StoreError):
        return error
    sentence = next((each.unexpected for each in reactions if isinstance(each, Explain) and each.unexpected), "")
    if not sentence:
        return None
    logger.error("unexpected failure: %s", sentence, exc_info=error)
    return StoreError(sentence)


async def react(state: rx.State, reactions: Reactions, error: StoreError) -> StoreError | None:
    """Apply the reactions to the error, in order, until one wants no other to follow.

    Returns the error that the user must still be told, or None if a reaction has answered it. If a reaction itself
    fails, such as because the row that it reads is gone, its error is the one for the reactions after it.
    """
    for reaction in reactions:
        if not _concerns(reaction, error):
            continue
        try:
            if await reaction.react(state, error):
                return None
        except StoreError as another:
            error = another
    return error


def _concerns(reaction: Reaction, error: StoreError) -> bool:
    named = reaction.errors if isinstance(reaction.errors, tuple) else (reaction.errors,)
    return isinstance(error, named) and (not isinstance(error, NotSignedIn) or NotSignedIn in named)


async def _toast(state: rx.State, notice: Notice) -> None:
    (await state.get_state(SignalState))._toast("error", notice)
