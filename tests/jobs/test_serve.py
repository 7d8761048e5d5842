"""Starting the store: a start that cannot succeed is explained, and several connections are accepted at a time."""

import asyncio
import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import uvicorn
import uvloop

from marketplace_app.jobs import serve
from tests.conftest import forget_settings, free_port
from tests.databases import ROOT


def test_a_database_of_an_unknown_revision_is_explained(tmp_path: Path) -> None:
    """As after changing to a branch without the newest migration."""
    with sqlite3.connect(tmp_path / "store.db") as database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES ('9999')")
    database.close()
    environment = {"DATABASE_URL": f"sqlite:///{tmp_path}/store.db", "UPLOADS": str(tmp_path), "PORT": str(free_port())}
    command = [sys.executable, "-m", "marketplace_app.jobs.serve"]
    result = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert "Can't locate revision identified by '9999'" in result.stderr
    assert "DATABASE_URL" in result.stderr
    assert "Traceback" not in result.stderr


def test_no_garbage_is_looked_for_until_the_store_has_started() -> None:
    code = (
        "import gc, marketplace_app.marketplace_app as store; oldest = gc.get_stats()[2]['collections'];"
        "store.end_startup(); print(oldest, gc.get_threshold(), gc.get_freeze_count() > 100_000)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"0 {_threshold_of_python()} True"


def _threshold_of_python() -> str:
    code = "import gc; print(gc.get_threshold())"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_an_identity_provider_in_the_env_file_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("OIDC_ISSUER=https://login.example.org")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OIDC_ISSUER")
    forget_settings()
    try:
        assert serve._names_provider()
        assert serve._settings_with_provider().oidc_issuer == "https://login.example.org"
    finally:
        monkeypatch.undo()
        forget_settings()


def test_an_ipv6_address_can_be_listened_on() -> None:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
            port = probe.getsockname()[1]
    except OSError:
        pytest.skip("this machine has no IPv6")
    serve._require_free("::1", port)


def test_a_store_on_the_last_port_finds_lower_ones_for_the_servers_it_starts() -> None:
    assert 0 < serve._free_port(65_536) < 65_536


def test_new_connections_are_accepted_several_at_a_time() -> None:
    """A round of uvloop's loop accepts one connection per listening socket; the store binds LISTENERS of them."""
    listeners = serve.bind_listeners(uvicorn.Config("", port=0))
    accepted = []

    def make_protocol() -> asyncio.Protocol:
        accepted.append(asyncio.Protocol())
        return accepted[-1]

    async def count_rounds() -> int:
        """How many rounds of the loop accepted any of 16 connections."""
        loop, rounds = asyncio.get_running_loop(), 0
        servers = [await loop.create_server(make_protocol, sock=each) for each in listeners]
        clients = [socket.create_connection(listeners[0].getsockname()) for _ in range(16)]
        while len(accepted) < len(clients):
            before = len(accepted)
            await asyncio.sleep(0)
            rounds += len(accepted) > before
        for each in (*clients, *servers):
            each.close()
        return rounds

    assert uvloop.run(asyncio.wait_for(count_rounds(), 10)) <= 2
