"""The overview while it is open, and its span (RULE overview)."""

import asyncio
from typing import Any

import pytest

from marketplace_app import db
from marketplace_app.models import Product, User
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.states.admin import overview
from marketplace_app.states.admin.overview import NARROW_PLOT_DAYS, AdminOverviewState
from tests.conftest import ON_SQLITE, Cast
from tests.services.buying.test_fulfilment import place
from tests.services.dispatch.conftest import fern
from tests.states.admin.conftest import Tab
from tests.states.tabs import show_url

__all__ = ["fern"]
PATH = "/admin?tab=overview"


def load(tab: Tab, url: str = PATH) -> Any:
    show_url(tab.root, url)
    state = tab.state(AdminOverviewState)
    asyncio.run(state._load())
    return state


@ON_SQLITE
def test_an_order_that_comes_while_the_overview_is_open_is_announced_and_marked(
    tab: Tab, cast: Cast, fern: Product
) -> None:
    place(cast.alice, fern)
    state = load(tab)
    assert (state.announced, [order.is_new for order in state.recent_orders]) == ("", [False])
    place(cast.bob, fern)
    state = load(tab)
    newest = state.recent_orders[0]
    assert [order.is_new for order in state.recent_orders] == [True, False]
    assert state.announced == f"New order {newest.number} from Bob, {newest.total}"


@ON_SQLITE
def test_an_older_order_that_moves_up_when_another_is_deleted_is_not_announced(
    tab: Tab, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overview, "RECENT_ENTRIES", 1)
    older, newer = place(cast.alice, fern), place(cast.bob, fern)
    assert [order.id for order in load(tab).recent_orders] == [newer]
    db.write(lambda s: admin_orders.delete(s, s.get(User, cast.ada.id), newer))
    state = load(tab)
    assert ([order.id for order in state.recent_orders], state.announced) == ([older], "")


@ON_SQLITE
@pytest.mark.parametrize(("url", "span"), [(PATH, "30"), (f"{PATH}&days=7", "7"), (f"{PATH}&days=8", "30")])
def test_the_span_is_that_of_the_url_if_the_overview_offers_it(url: str, span: str, tab: Tab) -> None:
    state = load(tab, url)
    assert (state.span, len(state.days)) == (span, int(span))
    assert (len(state.wide_plot.bars), len(state.narrow_plot.bars)) == (int(span), min(int(span), NARROW_PLOT_DAYS))


@ON_SQLITE
@pytest.mark.parametrize(
    ("days", "opened"), [("7", [f"{PATH}&days=7"]), ("30", [PATH]), ("8", [])], ids=["another", "usual", "not offered"]
)
def test_the_usual_span_is_not_in_the_url(days: str, opened: list[str], tab: Tab) -> None:
    state = load(tab, f"{PATH}&days=90")
    assert [answer["path"] for answer in tab.send(state, "show_span", days)] == opened


@ON_SQLITE
def test_the_newest_day_is_the_first_of_the_table_and_the_last_of_the_plot(tab: Tab, cast: Cast, fern: Product) -> None:
    place(cast.alice, fern)
    state = load(tab, f"{PATH}&days=7")
    assert [day.orders for day in state.days] == ["1", *["0"] * 6]
    heights = [float(bar.height) for bar in state.wide_plot.bars]
    assert heights[-1] > 0 == max(heights[:-1])


@ON_SQLITE
def test_the_busiest_hour_is_named_once_there_are_orders(tab: Tab, cast: Cast, fern: Product) -> None:
    assert load(tab).hours_summary == "No orders in this period."
    place(cast.alice, fern)
    state = load(tab)
    [busiest] = [hour for hour, count in state.hour_rows if count == "1"]
    assert state.hours_summary.startswith(f"Most orders come between {busiest} and ")
