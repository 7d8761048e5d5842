"""Contract with Reflex: props of hooks, error boundaries, a lost connection, replaced app wraps, and inline styles."""

import reflex as rx

from marketplace_app.framework.components import (
    ERROR_BOUNDARY,
    OVERLAY,
    HookProps,
    app_wraps,
    error_boundary,
    inline_style,
    is_connection_lost,
)
from marketplace_app.marketplace_app import app


class Watched(rx.State):
    percent: int = 0


class Box(HookProps, rx.el.Div):
    hook_props = ("watched",)
    watched: rx.Var[str]
    title: rx.Var[str]


def test_props_of_hooks_do_not_reach_the_element() -> None:
    assert rx.Component._exclude_props(rx.el.Div.create()) == []
    box = str(Box.create(watched="what it waits for", title="what it is called"))
    assert "what it is called" in box
    assert "what it waits for" not in box


def test_an_error_boundary_shows_what_it_is_given() -> None:
    built = str(error_boundary(rx.el.p("content"), fallback=rx.el.p("It broke."), on_error=rx.noop()))
    assert "ErrorBoundary" in built
    assert "fallbackRender" in built
    assert "It broke." in built


def test_a_lost_connection_is_known_by_the_errors_of_the_socket() -> None:
    lost = is_connection_lost()
    assert "connectErrors" in str(lost)
    data = lost._get_all_var_data()
    assert data is not None
    assert any("connectErrors" in hook for hook in data.hooks)


def test_the_stores_app_wraps_replace_reflexs() -> None:
    assert {ERROR_BOUNDARY, OVERLAY} <= set(app.app_wraps)
    ours = app_wraps(error_boundary=lambda _has_state: rx.el.p(), overlay=lambda _has_state: None)
    assert set(ours) == set(app.extra_app_wraps) == {ERROR_BOUNDARY, OVERLAY}


def test_an_inline_style_follows_the_state() -> None:
    bar = rx.el.div(**inline_style(width=f"{Watched.percent}%"))
    assert '"style"' in str(bar) or "style:" in str(bar)
    assert "css:" not in str(bar)
    assert any(var._get_all_var_data() is not None for var in bar._get_vars())


def test_only_an_element_with_a_fixed_id_has_a_ref() -> None:
    assert rx.el.div(id="pick").get_ref() == "ref_pick"
    assert rx.el.div(id=f"pick-{Watched.percent}").get_ref() is None
