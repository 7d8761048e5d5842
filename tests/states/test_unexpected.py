"""What the browser shows when a handler fails unexpectedly (RULE failures-in-words)."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from reflex.state import State
from reflex_base.event.context import EventContext
from reflex_base.registry import RegistrationContext

from marketplace_app import messages
from marketplace_app.errors import StoreError
from marketplace_app.marketplace_app import app  # noqa: F401 - makes the states known
from marketplace_app.states import unexpected
from marketplace_app.states.products.catalogue import CatalogueState
from marketplace_app.states.self_check import SelfCheckState
from marketplace_app.states.unexpected import UnexpectedFailureState, on_unexpected_failure
from tests.states.tabs import send, toast


def test_of_two_unexpected_failures_in_a_second_both_are_logged_and_one_is_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The second may be that of showing the first."""
    monkeypatch.setattr(EventContext, "get", lambda: SimpleNamespace(token="fails twice", txid="1"))
    errors = (ZeroDivisionError("one"), ZeroDivisionError("two"))
    answers = [on_unexpected_failure(error) for error in errors]
    assert [answer is None for answer in answers] == [False, True]
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == list(errors)


def test_an_unexpected_failure_ends_the_loading_of_every_page() -> None:
    pages = {entry.states[0] for entry in RegistrationContext.get().event_handlers.values()}
    loading = {page for page in pages if "view" in page.get_fields() and page.get_fields()["view"].default == "loading"}

    async def left_loading() -> set[str]:
        root = State()
        views: dict[str, Any] = {page.__name__: await root.get_state(page) for page in loading}
        await UnexpectedFailureState.event_handlers["report"].fn(await root.get_state(UnexpectedFailureState))
        return {name for name, state in views.items() if state.view == "loading"}

    assert loading
    assert asyncio.run(left_loading()) == set(), "Say what these show then: `on_failure=ShowView(...)` above `load`"


def test_what_could_not_be_read_is_not_called_missing() -> None:
    """Except a product, which has one message for every reason (RULE product-page)."""
    missing = {state.__name__ for state, view in unexpected.failed_views().items() if view == "missing"}
    assert missing == {"ProductState"}


def fail_in(token: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a failure in this tab is answered."""
    monkeypatch.setattr(EventContext, "get", lambda: SimpleNamespace(token=token, txid="1"))
    return on_unexpected_failure(ZeroDivisionError()) is not None


def test_a_failure_in_one_tab_does_not_silence_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unexpected, "REPORT_SECONDS", 60.0)
    assert [fail_in(tab, monkeypatch) for tab in ("here", "there", "here")] == [True, True, False]
    monkeypatch.setattr(unexpected, "REPORT_SECONDS", 0.0)
    assert fail_in("here", monkeypatch)


def test_a_page_that_is_shown_already_stays_under_the_message() -> None:
    """Only the message tells that something failed."""

    async def report() -> tuple[list[str], tuple[str, str]]:
        root = State()
        shown: Any = [await root.get_state(each) for each in unexpected.failed_views()]
        assert len(shown) > 5
        for state in shown:
            state.view = "found"
        await send(await root.get_state(UnexpectedFailureState), "report")
        return [state.view for state in shown], await toast(root)

    views, said = asyncio.run(report())
    assert set(views) == {"found"}
    assert said == (StoreError.message, "")


def test_pages_without_a_view_for_it_end_their_loading_too() -> None:
    async def report() -> tuple[bool, bool, str, str]:
        root = State()
        catalogue, check = await root.get_state(CatalogueState), await root.get_state(SelfCheckState)
        catalogue._is_fetching = True
        await send(await root.get_state(UnexpectedFailureState), "report")
        return catalogue.is_loading, catalogue.has_failed, check.view, check.error

    assert asyncio.run(report()) == (False, True, "failed", f"500: {StoreError.message}")


@pytest.mark.parametrize(
    ("handler", "notice"), [("say_too_busy", messages.TOO_BUSY), ("say_outdated", messages.PAGE_OUTDATED)]
)
def test_an_event_that_is_not_passed_on_is_answered_in_words(handler: str, notice: messages.Notice) -> None:
    async def answer() -> tuple[str, str]:
        root = State()
        await send(await root.get_state(UnexpectedFailureState), handler)
        return await toast(root)

    assert asyncio.run(answer()) == (notice.title, notice.text)
