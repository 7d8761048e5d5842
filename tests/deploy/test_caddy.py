"""Caddy accepts its configurations, and does what the guide says of its traces."""

import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest

from tests.collector import collecting
from tests.conftest import free_port
from tests.databases import ROOT
from tools.cluster import packages

SITES = ("deploy/Caddyfile", "deploy/compose.Caddyfile", "tools/cluster/Caddyfile")


@pytest.mark.parametrize("file", SITES)
def test_caddy_accepts_its_configuration(file: str, tmp_path: Path) -> None:
    settings = {
        "SHOP_HOST": "shop.test",
        "CLUSTER_PORT": "8443",
        "CLUSTER_PAGES": str(tmp_path),
        "CLUSTER_PROCESSES": "127.0.0.1:8444 127.0.0.1:8445",
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    command = [packages.caddy(), "validate", "--adapter", "caddyfile", "--config", str(ROOT / file)]
    checked = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("file", [*SITES, "deploy/store.caddy"])
def test_caddy_files_are_formatted(file: str) -> None:
    formatted = subprocess.run([packages.caddy(), "fmt", str(ROOT / file)], capture_output=True, text=True)
    assert formatted.stdout == (ROOT / file).read_text()


@contextmanager
def noting_parents() -> Iterator[tuple[int, list[tuple[list[str], list[str]]]]]:
    """A store that only notes which trace each request says it belongs to."""
    seen = []

    class Store(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/readyz":
                seen.append(tuple(self.headers.get_all(name, []) for name in ("traceparent", "tracestate")))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Store)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield server.server_port, seen
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.attack("forged parents of traces at the proxy")
def test_with_the_lines_of_the_guide_caddy_replaces_the_traceparent_of_a_caller(tmp_path: Path) -> None:
    guide = (ROOT / "deploy" / "README.md").read_text()
    (site,) = re.findall(r"^    shop\.your-domain \{\n(.*?tracing.*?)^    \}", guide, re.M | re.S)
    (option,) = re.findall(r"`(order [a-z_ ]+)`", guide)
    port, file = free_port(), tmp_path / "Caddyfile"
    forged = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", "tracestate": "a=b"}
    with noting_parents() as (store, seen), collecting() as collector:
        site = site.replace("127.0.0.1:8000", f"127.0.0.1:{store}")
        start = f"{{\nadmin off\nauto_https off\n{option}\n}}\nimport {ROOT}/deploy/store.caddy\n"
        file.write_text(f"{start}http://127.0.0.1:{port} {{\n{site}}}\n")
        settings = {"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": collector.url}
        homes = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        command = [packages.caddy(), "run", "--adapter", "caddyfile", "--config", str(file)]
        caddy = subprocess.Popen(command, env=os.environ | settings | homes, stderr=subprocess.DEVNULL)
        try:
            ask_until_answered(f"http://127.0.0.1:{port}/", forged)
        finally:
            caddy.terminate()
            caddy.wait(20)
        (parents, states), written = seen[-1], {span.trace_id.hex() for span in collector.spans()}
    assert states == []
    (parent,) = parents
    assert parent.split("-")[1] in written
    assert parent.split("-")[1] not in forged["traceparent"]


def ask_until_answered(url: str, headers: dict[str, str]) -> None:
    for _ in range(100):
        try:
            assert httpx.get(url, headers=headers).status_code == 200
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("Caddy does not answer")
