"""Contract with Reflex and Vite: where a build keeps the address of its server."""

import gzip
from pathlib import Path

import pytest

from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.framework.same_origin import SameOriginPlugin, with_own_origin


def test_addresses_follow_the_page() -> None:
    script = "var e={PING:`http://localhost:8000/ping`,EVENT:`wss://store.example/_event`,TRANSPORT:`websocket`};"
    assert with_own_origin(script) == (
        "var e={PING:location.origin+`/ping`,EVENT:location.origin.replace(`http`,`ws`)+`/_event`,"
        "TRANSPORT:`websocket`};"
    )


def test_a_build_without_addresses_stops(tmp_path: Path) -> None:
    with pytest.raises(NothingToPatch):
        SameOriginPlugin().post_build(static_dir=tmp_path)
    with pytest.raises(NothingToPatch):
        with_own_origin('var e={PING:"http://localhost:8000/ping"}')


@pytest.mark.browser
def test_a_built_page_has_no_address_of_its_server(built: Path) -> None:
    scripts = list(built.glob("assets/*.js"))
    assert scripts
    for script in scripts:
        text = script.read_text()
        assert "/_event" not in text or "localhost:" not in text, script.name
        packed = script.with_name(f"{script.name}.gz")
        assert not packed.exists() or gzip.decompress(packed.read_bytes()).decode() == text
