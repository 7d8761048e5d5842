"""Contract with Reflex and React Router: redirects that a tab follows only from certain URLs."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import reflex as rx
from reflex.event import Event

from marketplace_app.framework.redirects import redirect_from
from marketplace_app.framework.state_script import ONLY_FROM

HERE: dict[str, Any] = {"location": {"pathname": "/", "search": "?type=Indica", "hash": "#main"}}
OPENING: dict[str, Any] = {"state": {"navigation": {"location": {"pathname": "/product/1", "search": ""}}}}
IDLE: dict[str, Any] = {"state": {"navigation": {}}}


def test_a_redirect_is_reflexs_own_with_the_urls() -> None:
    [ours] = Event.from_event_type(redirect_from(["/", "/?page=2"], "/?page=3", replace=True))
    [theirs] = Event.from_event_type(rx.redirect("/?page=3", replace=True))
    assert (ours.name, ours.payload) == (theirs.name, theirs.payload | {"from": ["/", "/?page=2"]})


@pytest.mark.parametrize(
    ("window", "origins", "is_followed"),
    [
        (HERE, ["/", "/?type=Indica"], True),
        (HERE | {"__reactRouterDataRouter": IDLE}, ["/?type=Indica"], True),
        (HERE, ["/"], False),
        (HERE, None, True),
        (HERE | {"__reactRouterDataRouter": OPENING}, ["/?type=Indica"], False),
        (HERE | {"__reactRouterDataRouter": OPENING}, ["/product/1"], True),
    ],
    ids=["there", "there, nothing opening", "elsewhere", "Reflex's own", "another page opening", "opening there"],
)
def test_a_tab_follows_only_from_where_it_is_or_will_be(
    window: dict[str, Any], origins: list[str] | None, is_followed: bool
) -> None:
    event = {"name": "_redirect", "payload": {} if origins is None else {"from": origins}}
    script = f"""
const apply = (event, window) => {{ {ONLY_FROM} return true; }} }};
console.log(apply({json.dumps(event)}, {json.dumps(window)}) ?? false);
"""
    node = shutil.which("node", path=str(Path(".venv/bin").absolute())) or "node"
    ran = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) is is_followed


@pytest.mark.browser
def test_built_scripts_have_the_router_that_says_what_is_being_opened(built: Path) -> None:
    scripts = "".join(script.read_text() for script in built.glob("assets/*.js"))
    assert "window.__reactRouterDataRouter=" in scripts
    assert "window.__reactRouterDataRouter?.state.navigation.location" in scripts
