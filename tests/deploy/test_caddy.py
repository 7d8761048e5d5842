"""Caddy accepts its configurations."""

import os
import subprocess
from pathlib import Path

import pytest

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
