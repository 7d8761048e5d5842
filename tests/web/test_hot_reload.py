"""What Vite proxies to the server under `make dev`, and what must not exist elsewhere."""

import re
import subprocess
import sys

import pytest
from fastapi.routing import APIRoute
from reflex.utils import frontend_skeleton
from reflex_base.config import get_config

from marketplace_app.api.app import make_api
from marketplace_app.pages import site_map
from marketplace_app.web.hot_reload import SERVER_PATHS, HotReloadPlugin, with_proxy

pytestmark = pytest.mark.slow

ANSWERED = [route.path for route in make_api().routes if isinstance(route, APIRoute)]


@pytest.mark.parametrize("path", [*ANSWERED, "/_event", "/_event/?EIO=4"])
def test_paths_of_the_server_are_proxied(path: str) -> None:
    assert re.match(SERVER_PATHS, path)


def test_pages_are_not_proxied() -> None:
    assert not [page.route for page in site_map(is_development=True) if re.match(SERVER_PATHS, page.route)]


def test_vite_listens_on_loopback_only() -> None:
    """Reflex starts Vite on every address."""
    ours = with_proxy(frontend_skeleton._compile_vite_config(get_config()))
    assert 'plugins: [\n    { name: "store", config: () => ({"server": {"host": "127.0.0.1", "proxy": {' in ours


def test_builds_are_not_affected() -> None:
    tasks: list[object] = []
    HotReloadPlugin().pre_compile(add_modify_task=lambda *task: tasks.append(task))
    assert tasks == []


def test_every_page_that_waits_to_be_compiled_asks_for_it() -> None:
    """Also a page without events of its own. Imported in a process of its own: see below."""
    program = """
from pathlib import Path
from marketplace_app import pages
from marketplace_app.pages.on_demand import on_demand
waiting = list(on_demand(pages.site_map(is_development=True), Path("no such file")))
assert "/drive" in {page.route for page in waiting}
print([page.route for page in waiting if not pages._on_load(page)])
"""
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_pages_cannot_be_compiled_on_a_served_store() -> None:
    """The event that triggers it is public, as all are, so it exists only under `make dev`."""
    program = (
        "import sys; import marketplace_app.marketplace_app; print('marketplace_app.pages.on_demand' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
