"""When a handler fails, exactly what its action declares happens."""

import asyncio
import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from reflex.state import State
from reflex_base.event.context import EventContext
from reflex_base.registry import RegistrationContext

from marketplace_app import messages
from marketplace_app.errors import (
    AgeVerificationRequired,
    AlreadyInCart,
    EditedMeanwhile,
    InvalidInput,
    NotFound,
    NotSignedIn,
    OutOfStock,
    StoreError,
)
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.messages import Notice
from marketplace_app.pages import PAGES
from marketplace_app.states.account.account import AccountState
from marketplace_app.states.admin.orders.order import AdminOrderState
from marketplace_app.states.admin.orders.order_form import FIELDS, AdminOrderFormState
from marketplace_app.states.admin.searches import AdminSearchState, SynonymRow
from marketplace_app.states.buying.checkout import CheckoutState
from marketplace_app.states.events.base import ANYONE, action, policy_of
from marketplace_app.states.events.failures import (
    Explain,
    Fields,
    Instead,
    On,
    Reaction,
    Say,
    ShowPageFailed,
    ShowView,
    Silent,
)
from marketplace_app.states.events.signal import SignalState
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.unexpected import UnexpectedFailureState
from tests.states.tabs import open_url

FIXED = Notice("Update Failed", "Could not update item quantity.")
NO_TOAST = ("", "")


@contextmanager
def tab_of_its_own() -> Iterator[None]:
    """Stands in for a tab: a handler that a test calls directly runs in none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EventContext, "get", lambda: SimpleNamespace(token=uuid.uuid4().hex, txid="0" * 12))
        yield


def fail(
    error: Exception,
    *reactions: Reaction,
    state_class: type[Any] = AdminOrderState,
    signed_out: Notice | None = None,
    **shown: Any,
) -> tuple[Any, tuple[str, str], str]:
    """Fail in a handler of a state that has the attributes `shown`. Returns the state, the title and text of the toast,
    and where the browser is sent."""

    @action(who=ANYONE, signed_out=signed_out, on_failure=reactions)
    async def handler(self: Any) -> None:
        raise error

    async def run() -> tuple[Any, tuple[str, str], str]:
        root = State()
        state, signal = await root.get_state(state_class), await root.get_state(SignalState)
        for name, value in shown.items():
            setattr(state, name, value)
        await handler(state)
        return state, (signal.title, signal.text), signal.href

    return asyncio.run(run())


def test_an_error_that_nothing_is_declared_for_says_its_sentence() -> None:
    assert fail(NotFound("No such order."))[1] == ("No such order.", "")


def test_a_fixed_toast() -> None:
    assert fail(OutOfStock("Fern", 1), Say(FIXED))[1] == (FIXED.title, FIXED.text)


def test_the_error_explained_under_a_title() -> None:
    assert fail(NotFound("No such order."), Explain("Error"))[1] == ("Error", "No such order.")


def test_the_first_reaction_to_an_error_counts() -> None:
    reactions = (Explain("Failed to Add", errors=(AlreadyInCart, InvalidInput)), Say(FIXED))
    assert fail(AlreadyInCart("Fern", 2, 2), *reactions)[1][0] == "Failed to Add"
    assert fail(OutOfStock("Fern", 2), *reactions)[1] == (FIXED.title, FIXED.text)


def test_a_silent_failure_shows_nothing() -> None:
    assert fail(NotFound(), Silent())[1] == NO_TOAST


@pytest.mark.parametrize("is_generator", [False, True])
def test_an_unexpected_failure_is_logged_and_explained(caplog: pytest.LogCaptureFixture, is_generator: bool) -> None:
    async def run() -> str:
        root = State()
        handler = yielding if is_generator else returning
        if is_generator:
            assert [step async for step in handler(root)] == [None]
        else:
            await handler(root)
        return (await root.get_state(SignalState)).text

    @action(who=ANYONE, on_failure=Explain("Error", "Failed to update order"))
    async def returning(self: Any) -> None:
        raise ZeroDivisionError

    @action(who=ANYONE, on_failure=Explain("Error", "Failed to update order"))
    async def yielding(self: Any) -> Any:
        yield None
        raise ZeroDivisionError

    with caplog.at_level(logging.ERROR):
        assert asyncio.run(run()) == "Failed to update order"
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("reactions", [(), (Explain("Error"),), (Say(FIXED),), (Silent(),)])
@pytest.mark.parametrize("is_generator", [False, True])
def test_an_unexpected_failure_without_a_sentence_is_answered_by_an_event_that_follows(
    caplog: pytest.LogCaptureFixture, reactions: tuple[Reaction, ...], is_generator: bool
) -> None:
    """The handler returns: with Redis, what it has changed would be forgotten if it raised."""

    @action(who=ANYONE, on_failure=reactions)
    async def returning(self: Any) -> None:
        raise ZeroDivisionError

    @action(who=ANYONE, on_failure=reactions)
    async def yielding(self: Any) -> Any:
        yield None
        raise ZeroDivisionError

    async def run() -> list[Any]:
        with tab_of_its_own():
            return [step async for step in yielding(State())] if is_generator else [await returning(State())]

    with caplog.at_level(logging.ERROR):
        answered = asyncio.run(run())
    assert [event.handler for event in answered if event] == [UnexpectedFailureState.report().handler]
    assert "ZeroDivisionError" in caplog.text


def test_what_fails_without_redis_is_raised() -> None:
    """No event could follow: there is no state."""
    with pytest.raises(RedisConnectionError):
        fail(RedisConnectionError())


def test_a_form_shows_each_sentence_beside_its_field_and_a_toast() -> None:
    error = InvalidInput({"contactPhone": "Too short.", "deliveryAddress.2": "Too long.", "other": "Unknown."})
    state, toast, _ = fail(error, Fields("errors", FIELDS), Explain("Error"), state_class=AdminOrderFormState)
    assert {name: text for name, text in state.errors.items() if text} == {
        "contactPhone": "Too short.",
        "deliveryAddress": "Too long.",
    }
    assert state.errors.keys() == set(FIELDS)
    assert toast == ("Error", error.message)


def test_a_part_of_a_field_that_has_a_place_of_its_own_is_shown_there() -> None:
    error = InvalidInput({"report.pesticides": "Write a result."})
    names = ("report", "report.pesticides")
    state, _, _ = fail(error, Fields("errors", names), state_class=AdminOrderFormState)
    assert state.errors == {"report": "", "report.pesticides": "Write a result."}


@pytest.mark.parametrize(("field", "toast"), [("contactPhone", NO_TOAST), ("other", ("Error", "No."))])
def test_a_form_without_toast_has_one_only_for_what_no_field_shows(field: str, toast: tuple[str, str]) -> None:
    reactions = (Fields("errors", FIELDS, without_toast=True), Explain("Error"))
    assert fail(InvalidInput({field: "No."}), *reactions, state_class=AdminOrderFormState)[1] == toast


def test_a_form_keeps_its_sentences_at_another_error() -> None:
    shown = dict.fromkeys(FIELDS, "Too short.")
    state, _, _ = fail(NotFound(), Fields("errors", FIELDS), state_class=AdminOrderFormState, errors=shown)
    assert state.errors == shown


async def mark(self: Any, error: StoreError) -> None:
    self.title = f"marked by {type(error).__name__}"


def test_a_method_is_called_and_the_toast_still_shown() -> None:
    state, toast, _ = fail(EditedMeanwhile(["status"]), On(EditedMeanwhile, mark), Say(FIXED))
    assert (state.title, toast) == ("marked by EditedMeanwhile", (FIXED.title, FIXED.text))


def test_a_method_is_called_instead_of_a_toast() -> None:
    state, toast, _ = fail(NotFound(), Instead(NotFound, mark), Say(FIXED))
    assert (state.title, toast) == ("marked by NotFound", NO_TOAST)


async def look_up(_self: Any, _error: StoreError) -> None:
    raise NotFound("These rules do not exist.")


def test_an_error_raised_by_a_reaction_is_left_to_later_reactions() -> None:
    declared = (Instead(InvalidInput, look_up), Say(FIXED, NotFound))
    assert fail(InvalidInput({"form": "Unreadable"}), *declared)[1] == (FIXED.title, FIXED.text)
    assert fail(InvalidInput({"form": "Unreadable"}), declared[0])[1] == ("These rules do not exist.", "")


def test_a_page_that_is_loading_shows_another_view() -> None:
    state, toast, _ = fail(NotFound(), ShowView("missing", NotFound), view="loading")
    assert (state.view, toast) == ("missing", NO_TOAST)


def test_a_page_that_is_shown_stays_with_a_toast() -> None:
    state, toast, _ = fail(NotFound("Gone."), ShowView("missing"), view="found")
    assert (state.view, toast) == ("found", ("Gone.", ""))


def test_a_view_for_one_error_leaves_the_others_to_a_toast() -> None:
    state, toast, _ = fail(OutOfStock("Fern", 0), ShowView("missing", NotFound), view="loading")
    assert (state.view, toast) == ("loading", ("Fern is out of stock.", ""))


@pytest.mark.parametrize("error", [NotFound("Gone."), ZeroDivisionError()], ids=["refused", "unexpected"])
@pytest.mark.parametrize("open_already", ["", "_has_reconnected", "_is_same_page"])
def test_a_page_that_shows_nothing_yet_says_that_it_could_not_be_loaded(error: Exception, open_already: str) -> None:
    @action(who=ANYONE, on_failure=ShowPageFailed())
    async def load(self: Any) -> None:
        raise error

    async def run() -> tuple[bool, str]:
        root = State()
        viewer = await root.get_state(ViewerState)
        if open_already:
            setattr(viewer, open_already, True)
        with tab_of_its_own():
            await load(root)
        return viewer.has_load_failed, (await root.get_state(SignalState)).title

    told = "Gone." if isinstance(error, NotFound) else ""  # an event that follows explains the others
    assert asyncio.run(run()) == (not open_already, told)


def test_a_page_that_could_not_be_loaded_twice_still_says_so() -> None:
    """Its link is pressed again, or the socket has reconnected: it is not open because of that."""

    @action(who=ANYONE, on_failure=ShowPageFailed())
    async def load(self: Any) -> None:
        raise NotFound

    async def run() -> list[bool]:
        root, shown = State(), []
        viewer = await root.get_state(ViewerState)
        for is_reconnecting in (False, False, True):
            viewer._is_reconnecting = is_reconnecting
            await open_url(root, "/account")
            await load(root)
            shown.append(viewer.has_load_failed)
        return shown

    assert asyncio.run(run()) == [True, True, True]


def test_a_tab_that_is_not_shown_yet_says_so_on_a_page_that_is_open() -> None:
    @action(who=ANYONE, on_failure=ShowPageFailed(has_tabs=True))
    async def load(self: Any) -> None:
        raise NotFound

    async def run(shown: str) -> bool:
        root = State()
        viewer, state = await root.get_state(ViewerState), await root.get_state(AccountState)
        viewer._is_same_page, state.tab, state._shown_tab = True, "orders", shown
        await load(state)
        return bool(viewer.has_load_failed)

    assert [asyncio.run(run(shown)) for shown in ("orders", "profile")] == [False, True]


def test_every_page_says_what_becomes_of_it_when_it_cannot_be_loaded() -> None:
    handlers = {handler.fn.__qualname__: policy_of(handler.fn) for page in PAGES for handler in page.on_load}
    silent = {name for name, policy in handlers.items() if policy and not any(map(_shows_failure, policy.on_failure))}
    assert silent == {
        "CatalogueState.load",  # has a failure of its own, `has_failed`
        "DashboardState.load_counts",  # the rest of the page does not need them
        "InvitationState.load_none",  # reads nothing
        "LegalState.load",  # shows the text that the store ships with
        "SelfCheckState.load",  # shows the error, also after an unexpected exception
    }


def _shows_failure(reaction: Reaction) -> bool:
    """Of any error: a view for a missing row alone would leave the skeleton after all others."""
    errors = reaction.errors if isinstance(reaction.errors, tuple) else (reaction.errors,)
    return isinstance(reaction, ShowPageFailed | ShowView) and StoreError in errors


@pytest.mark.parametrize("reaction", [Say(FIXED), Explain("Error"), Silent(), ShowView("missing")])
def test_a_guest_is_sent_to_sign_in_whatever_is_declared_for_the_others(reaction: Reaction) -> None:
    please = Notice("Please Sign In", "You need to sign in.")
    state, toast, href = fail(NotSignedIn(), reaction, signed_out=please, view="loading")
    assert (state.view, toast) == ("loading", (please.title, please.text))
    assert href.startswith("/api/login?return_to=")


def test_a_reaction_that_names_it_answers_a_guest() -> None:
    state, toast, href = fail(NotSignedIn(), Instead((StoreError, NotSignedIn), mark), signed_out=FIXED)
    assert (state.title, toast, href) == ("marked by NotSignedIn", NO_TOAST, "")


def test_errors_of_a_new_synonym_are_in_its_own_form_while_another_is_edited() -> None:
    async def run() -> Any:
        state = await State().get_state(AdminSearchState)
        state.edited = SynonymRow(1, "weed", "flower")
        async for _step in AdminSearchState.event_handlers["add"].fn(state, {"term": "", "replacement": ""}):
            pass
        return state

    state = asyncio.run(run())
    assert all(state.errors.values())
    assert not any(state.edit_errors.values())


def reactions_of(state_class: type[Any], handler: str) -> tuple[Reaction, ...]:
    policy = policy_of(state_class.event_handlers[handler].fn)
    assert policy is not None
    return policy.on_failure


def test_a_checkout_with_a_wrong_field_shows_it_and_the_summary_without_a_toast() -> None:
    error = InvalidInput({"contactPhone": "Too short."})
    state, toast, _ = fail(error, *reactions_of(CheckoutState, "place"), state_class=CheckoutState)
    assert state.errors["contactPhone"] == "Too short."
    assert [(each.name, each.message) for each in state.error_summary] == [("contactPhone", "Too short.")]
    assert toast == NO_TOAST


def test_a_checkout_says_that_it_failed_when_no_field_is_to_blame() -> None:
    error = InvalidInput({"items": "Too many."})
    state, toast, _ = fail(error, *reactions_of(CheckoutState, "place"), state_class=CheckoutState)
    assert (state.error_summary, toast) == ([], (messages.ORDER_FAILED.title, messages.ORDER_FAILED.text))


def test_a_checkout_without_an_age_check_asks_for_it() -> None:
    reactions = reactions_of(CheckoutState, "place")
    state, toast, _ = fail(AgeVerificationRequired(), *reactions, state_class=CheckoutState, needs_age_check=False)
    assert (state.needs_age_check, toast) == (True, NO_TOAST)


def declared_reactions() -> list[tuple[str, Any, Reaction]]:
    """Every handler of the store with its state and each of its reactions."""
    return [
        (name, entry.states[0], reaction)
        for name, entry in RegistrationContext.get().event_handlers.items()
        if (policy := policy_of(entry.handler.fn)) is not None
        for reaction in policy.on_failure
    ]


def test_what_a_reaction_sets_is_declared_by_the_state_of_its_handler() -> None:
    for name, state, reaction in declared_reactions():
        if isinstance(reaction, Fields):
            assert reaction.var in state.get_fields(), name
        if isinstance(reaction, ShowView):
            assert state.get_fields()["view"].default_value() == "loading", name


def test_a_form_has_its_fields_from_the_start() -> None:
    """The page reads a sentence for each field, which must be there, although empty."""
    for name, state, reaction in declared_reactions():
        if isinstance(reaction, Fields) and not reaction.without_toast:
            assert state.get_fields()[reaction.var].default_value().keys() == set(reaction.names), name
