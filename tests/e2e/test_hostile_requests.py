"""Requests over the wire that no browser sends, and what a running store leaves on its disk."""

import stat
import uuid
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.e2e.acts import OWNER
from tests.e2e.conftest import IS_SCALED, ROOT, Api, Store
from tests.e2e.raw_http import ambiguous_requests, exchange, smuggled_request, statuses_in
from tests.injections import IS_LONG

pytestmark = pytest.mark.browser

ADDRESSES = (
    "/" + "x" * 300,
    "/" + "x" * 8_000,
    "/product/%00",
    "/invite/" + "%F0%9F%8C%BF" * 100,
    "/..%2f..%2fetc%2fpasswd",
    "/assets/%2e%2e/%2e%2e/index.html",
    "/api/products?category=%00",
    "/api/products?search=%00" + "x" * 300,
    "/api/products?search=%ED%A0%80",
    "/api/products/%00",
    "/api/invite/%00",
    "/api/callback?code=%00&state=%00",
    "/api/login?return_to=%00",
    "/api/admin/audit?to=9999-12-31",
    "/api/admin/audit?from=0001-01-01",
    "/api/admin/orders?to=9999-12-31&q=%00",
    "/api/admin/orders/export?to=9999-12-31",
    "/api/admin/users?q=%00",
    "/api/admin/users/%00",
)
Figures = Callable[[str, object], None]


@pytest.mark.attack("hostile addresses and values")
def test_no_address_makes_the_store_fail(store: Store, api: Api, record_property: Figures) -> None:
    statuses = []
    for cookies in ({}, api(OWNER).cookies):
        for address in ADDRESSES:
            answer = httpx.get(store.url + address, cookies=cookies)
            assert answer.status_code < 500, address
            assert answer.headers["x-content-type-options"] == "nosniff", address
            statuses.append(answer.status_code)
    record_property("figures", f"{len(statuses)} requests: {sorted(set(statuses))}")


@pytest.mark.attack("request smuggling")
@pytest.mark.skipif(IS_SCALED, reason="Caddy answers then: tests/e2e/test_cluster.py tries the same through it")
def test_no_request_is_hidden_in_another_without_a_proxy_either(
    store: Store, api: Api, record_property: Figures
) -> None:
    """The request in the body of an ambiguous one has no effect, or is answered on the connection that sent both."""
    port, before = int(store.url.rpartition(":")[2]), store.log.stat().st_size
    host, owner, refused = f"localhost:{port}", api(OWNER), 0
    alone = exchange(port, smuggled_request(host, "Not hidden"), quiet_seconds=2)
    assert statuses_in(alone) == [201], "the smuggled request by itself"
    names = [name for name, _ in ambiguous_requests(host, b"")]
    for name in names if IS_LONG else names[::4]:
        subject = f"Hidden {uuid.uuid4().hex}"
        request = dict(ambiguous_requests(host, smuggled_request(host, subject)))[name]
        statuses = statuses_in(exchange(port, request))
        assert not [status for status in statuses if status >= 500], (name, statuses)
        newest = owner.get("/api/admin/tickets?limit=20").json()
        is_stored = subject in [ticket["subject"] for ticket in newest]
        assert not is_stored or 201 in statuses, f"{name}: a request that nobody sent was answered {statuses}"
        refused += statuses in ([400], [])
    assert b"Traceback" not in store.log.read_bytes()[before:]
    assert httpx.get(f"{store.url}/readyz").status_code == 200
    record_property("figures", f"{refused} refused at once, 0 failures")


@pytest.mark.attack("files that others may read")
def test_nobody_else_may_read_what_the_store_writes(store: Store, api: Api, record_property: Figures) -> None:
    """Database, mail, uploads and tab states, while the store runs."""
    owner = api(OWNER)
    picture = ROOT / "docs/pictures/browse.jpg"
    kind = {"Content-Type": "image/jpeg"}
    owner.put("/api/admin/products/66/image", content=picture.read_bytes(), headers=kind).raise_for_status()
    invitation = {"email": f"friend-{uuid.uuid4().hex[:8]}@example.org"}
    owner.post("/api/admin/invitations/send", json=invitation).raise_for_status()
    written = [path for path in store.folder.rglob("*") if not is_anothers(path, store.folder)]
    assert any("uploads" in path.parts for path in written)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in written}
    assert [path for path, mode in modes.items() if mode & 0o077] == []
    record_property("figures", f"{len(written)} files and folders, none for others")


def is_anothers(path: Path, folder: Path) -> bool:
    """What PostgreSQL writes, and this test's own copy of the log."""
    return path.relative_to(folder).parts[0] in ("postgresql", "store.log")
