"""What Vite passes on to the server under `make dev`, and what must not exist elsewhere."""

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
def test_what_the_server_answers_reaches_it(path: str) -> None:
    assert re.match(SERVER_PATHS, path)


def test_no_page_does() -> None:
    assert not [page.route for page in site_map(is_development=True) if re.match(SERVER_PATHS, page.route)]


def test_it_listens_where_the_store_would() -> None:
    """Reflex starts Vite on every address."""
    ours = with_proxy(frontend_skeleton._compile_vite_config(get_config()))
    assert 'plugins: [\n    { name: "store", config: () => ({"server": {"host": "127.0.0.1", "proxy": {' in ours


def test_builds_know_nothing_of_it() -> None:
    asked: list[object] = []
    HotReloadPlugin().pre_compile(add_modify_task=lambda *task: asked.append(task))
    assert asked == []


def test_nobody_can_have_pages_compiled_where_the_store_is_served() -> None:
    """The event that triggers it is public, as all are, so it exists only under `make dev`."""
    program = (
        "import sys; import marketplace_app.marketplace_app; print('marketplace_app.pages.on_demand' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
