"""The web app's manifest, offline page and service worker, as built."""

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from marketplace_app.web.pwa import ASSETS, PwaPlugin, manifest, offline_page


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "root-a1b2.js").touch()
    (tmp_path / "assets" / "styles-a1b2.css").touch()
    (tmp_path / "drive.js").write_text("start();")
    (tmp_path / "drive").mkdir()
    (tmp_path / "drive" / "index.html").write_text(
        '<link href="/favicon.svg" rel="icon"/><link href="/assets/styles-a1b2.css" rel="stylesheet"/>'
        '<script async="" src="/drive.js"></script>'
    )
    return tmp_path


def build(folder: Path) -> str:
    (folder / "sw.js").write_text((ASSETS / "sw.js").read_text())
    PwaPlugin().post_build(static_dir=folder)
    return (folder / "sw.js").read_text()


def test_the_manifest_carries_the_stores_name(configure: Callable[..., None]) -> None:
    configure(STORE_NAME="Corner & Sons")
    described = json.loads(manifest())
    assert (described["name"], described["short_name"]) == ("Corner & Sons", "Corner & Sons")
    assert (described["display"], described["start_url"], described["scope"]) == ("standalone", "/", "/")


def test_every_icon_of_the_manifest_is_there_in_its_size() -> None:
    icons = json.loads(manifest())["icons"]
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    for icon in icons:
        header = (ASSETS / icon["src"].lstrip("/")).read_bytes()[:24]
        width, height = struct.unpack(">II", header[16:])
        assert f"{width}x{height}" == icon["sizes"]


def test_the_offline_page_fetches_nothing_and_escapes_the_name(configure: Callable[..., None]) -> None:
    configure(STORE_NAME="<b>Corner</b>")
    page = offline_page()
    assert "<title>No connection · &lt;b&gt;Corner&lt;/b&gt;</title>" in page
    assert "<b>" not in page
    assert not re.search(r"\b(src|url|href)\s*[=(]\s*[\"']?[^\"'>\s]", page)


def test_the_build_writes_all_three(built: Path) -> None:
    worker = build(built)
    assert (built / "offline" / "index.html").read_text() == offline_page()
    assert (built / "manifest.webmanifest").read_bytes() == manifest()
    assert re.search(r'CACHE = "store-[0-9a-f]{12}"', worker)


def test_the_service_worker_changes_exactly_with_the_files(built: Path) -> None:
    first = build(built)
    assert build(built) == first
    (built / "assets" / "root-a1b2.js").rename(built / "assets" / "root-c3d4.js")
    assert build(built) != first


def test_the_service_worker_knows_the_drivers_page_by_its_files(built: Path) -> None:
    first = build(built)
    assert '"/assets/styles-a1b2.css /drive.js"' in first
    (built / "drive.js").write_text("start(1);")
    assert build(built) != first
