"""Packets of the event socket are validated before Reflex reads them."""

from typing import Any

import pytest

from marketplace_app.states.events import packets

ROUTE = {
    "pathname": "/product/[product_id]",
    "asPath": "/product/7?tab=lab",
    "query": {"tab": "lab", "type": ["a", "b"]},
}
EVENT = {"name": "state.cart_state.add", "payload": {"product_id": 7, "more": [None, 1.5, True]}, "router_data": ROUTE}


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"in": value}
    return value


def test_a_valid_event_is_unchanged() -> None:
    assert packets.validate(EVENT) == EVENT
    assert packets.validate({"name": "state.load"}) == {"name": "state.load", "payload": {}, "router_data": {}}


def test_unknown_keys_are_left_out() -> None:
    more = EVENT | {
        "token": "x",
        "router_data": ROUTE | {"headers": {"cookie": "session=x"}, "ip": "10.0.0.1", "sid": "x"},
    }
    assert packets.validate(more) == EVENT


@pytest.mark.parametrize(
    "packet",
    [
        None,
        7,
        "text",
        b"bytes",
        [],
        {},
        {"name": 7},
        {"name": ""},
        {"name": "x" * 251},
        {"name": "a\x00b"},
        {"name": "a", "payload": []},
        {"name": "a", "payload": "text"},
        {"name": "a", "payload": {"x": "\ud800"}},
        {"name": "a", "payload": {"x": 10**30}},
        {"name": "a", "payload": {"x": float("nan")}},
        {"name": "a", "payload": {"x": float("inf")}},
        {"name": "a", "payload": {"x": [0] * 3_000}},
        {"name": "a", "payload": nested(8)},
        {"name": "a", "payload": {"\ud800": 1}},
        {"name": "a", "router_data": []},
        {"name": "a", "router_data": None},
        {"name": "a", "router_data": {"asPath": 5}},
        {"name": "a", "router_data": {"pathname": ["/"]}},
        {"name": "a", "router_data": {"asPath": "/" * 3_000}},
        {"name": "a", "router_data": {"query": "a=b"}},
        {"name": "a", "router_data": {"query": {str(n): "x" for n in range(61)}}},
    ],
)
def test_an_invalid_packet_is_no_event(packet: object) -> None:
    assert packets.validate(packet) is None


def test_invalid_query_parameters_are_left_out() -> None:
    query = {"view": "\x00", "page": 5, "a": {"b": "c"}, "\ud800": "x", "type": ["Indica", "Sativa"], "q": "x" * 600}
    validated = packets.validate({"name": "a", "router_data": {"query": query}})
    assert validated is not None
    assert validated["router_data"] == {"query": {"type": ["Indica", "Sativa"]}}


@pytest.mark.parametrize(
    ("token", "is_valid"),
    [
        ("3f2b7c1e-0d6a-4b7e-9c55-1f0ce2b7a001", True),
        ("", False),
        ("x" * 65, False),
        ("a/../b", False),
        ("ä" * 8, False),
        (None, False),
        (["a"], False),
    ],
)
def test_a_tabs_token_is_short_plain_text(token: object, is_valid: bool) -> None:
    assert packets.is_tab_token(token) is is_valid
