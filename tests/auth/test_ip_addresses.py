"""The network address of a request, and what a limit counts."""

from collections.abc import Callable

import pytest

from marketplace_app.auth.ip_addresses import client_address, rate_key

Configure = Callable[..., None]


def scope(*forwarded: str) -> dict[str, object]:
    return {
        "type": "http",
        "client": ("192.0.2.1", 80),
        "headers": [(b"x-forwarded-for", line.encode()) for line in forwarded],
    }


@pytest.mark.attack("rate limits bypassed")
@pytest.mark.parametrize(
    ("hops", "lines", "address"),
    [
        ("0", ("198.51.100.9",), "192.0.2.1"),
        ("1", ("198.51.100.9",), "198.51.100.9"),
        ("1", ("203.0.113.66, 198.51.100.9",), "198.51.100.9"),
        ("1", ("203.0.113.66", "198.51.100.9"), "198.51.100.9"),
        ("2", ("203.0.113.66", "198.51.100.9, 10.0.0.2"), "198.51.100.9"),
        ("2", ("198.51.100.9",), "192.0.2.1"),
        ("1", (" , ",), "192.0.2.1"),
    ],
)
def test_only_headers_of_trusted_proxies_count(
    configure: Configure, hops: str, lines: tuple[str, ...], address: str
) -> None:
    configure(TRUSTED_PROXIES=hops)
    assert client_address(scope(*lines)) == address


def test_a_user_is_counted_once_across_browsers() -> None:
    assert rate_key(7, "192.0.2.1") == rate_key(7, "192.0.2.2") == "person:7"
    assert rate_key(None, "192.0.2.1") == "address:192.0.2.1"


@pytest.mark.parametrize(
    ("line", "address"),
    [
        ("198.51.100.9:51512", "198.51.100.9"),
        ("::ffff:198.51.100.9", "198.51.100.9"),
        ("[2001:db8:1:2::7]:443", "2001:db8:1:2::/64"),
        ("unknown", "192.0.2.1"),
        ("203.0.113.66,", "192.0.2.1"),
        ("x" * 5_000, "192.0.2.1"),
        ("\x00", "192.0.2.1"),
    ],
)
def test_only_the_ip_address_of_a_forwarded_entry_is_used(configure: Configure, line: str, address: str) -> None:
    configure(TRUSTED_PROXIES="1")
    assert client_address(scope(line)) == address


def test_a_whole_ipv6_network_counts_once() -> None:
    """Whoever has one address of it has all 2^64."""
    peers = ("2001:db8:1:2:aaaa::1", "2001:db8:1:2:bbbb::2", "2001:db8:1:3::1")
    counted = [client_address(scope() | {"client": (peer, 80)}) for peer in peers]
    assert counted == ["2001:db8:1:2::/64", "2001:db8:1:2::/64", "2001:db8:1:3::/64"]


@pytest.mark.parametrize("client", [None, ("", 0)])
def test_without_an_address_everybody_counts_together(client: object) -> None:
    assert client_address(scope() | {"client": client}) == "unknown"
