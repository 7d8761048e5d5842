"""Contract with Reflex: how pages read states, and where it writes their initial values."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from reflex.utils import frontend_skeleton
from reflex_base.config import get_config

from marketplace_app.framework.states_of_pages import StatesOfPagesPlugin, with_states_of_pages

VALUES = '{"cart": {"n": 0}, "report": {"rows": []}, "menu": {"open": true}, "shell": {"x": 1}, "offline": {"y": 2}}'
CONTEXT = f"""export const initialState = {VALUES}
  const [store] = useState(() => createStateStore(initialState));
  useEffect(() => store.mergeInitialState(initialState), [store, initialState]);
"""
PAGES = {
    "app/root.jsx": 'useStateContext("shell"); useStateContext("offline")',
    "app/routes/_index.jsx": 'useStateContext("cart")',
    "app/routes/[admin]._index.jsx": 'import {m} from "$/utils/components/menu"; useStateContext("shell")',
    "app/routes/[admin].[sales]._index.jsx": (
        'import {m} from "$/utils/components/menu"; useStateContext("report"); useStateContext("cart")'
    ),
    "utils/components/menu.jsx": 'useStateContext("menu")',
    "utils/context.jsx": CONTEXT,
}
RUN = """
import { readFileSync } from "node:fs";
import statesOfPages from "./states-of-pages.js";
const plugin = statesOfPages();
const context = { error: (message) => { throw new Error(message) } };
const folder = process.cwd();
plugin.configResolved({ root: folder });
plugin.buildStart.call(context);
const made = {};
for (const file of process.argv.slice(2)) {
  const id = `${folder}/${file}`;
  const code = readFileSync(id, "utf8");
  made[file] = plugin.transform.call(context, code, id)?.code ?? code;
}
console.log(JSON.stringify(made));
"""


def build(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """What the plugin makes of the files, in Node. Raises CalledProcessError where it stops the build."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    for name, content in StatesOfPagesPlugin().get_static_assets():
        (folder / name).write_text(str(content))
    (folder / "run.mjs").write_text(RUN)
    node = shutil.which("node", path=str(Path(".venv/bin").absolute())) or "node"
    ran = subprocess.run([node, "run.mjs", *files], cwd=folder, capture_output=True, text=True, check=True)
    made: dict[str, str] = json.loads(ran.stdout)
    return made


def values_kept(made: dict[str, str]) -> Any:
    found = re.search(r"initialState = (\{.*\})$", made["utils/context.jsx"], re.MULTILINE)
    assert found
    return json.loads(found[1])


def test_vite_loads_the_plugin() -> None:
    ours = with_states_of_pages(frontend_skeleton._compile_vite_config(get_config()))
    assert 'import statesOfPages from "./states-of-pages.js";' in ours
    assert "plugins: [\n    statesOfPages()," in ours


def test_only_states_read_in_one_section_move_out_of_the_shared_file(tmp_path: Path) -> None:
    kept = values_kept(build(tmp_path, PAGES))
    assert kept == {"cart": {"n": 0}, "report": {}, "menu": {}, "shell": {"x": 1}, "offline": {"y": 2}}


def test_each_page_that_reads_such_a_state_brings_its_values(tmp_path: Path) -> None:
    made = build(tmp_path, PAGES)
    assert 'addInitialState({"menu":{"open":true}});' in made["app/routes/[admin]._index.jsx"]
    sales = made["app/routes/[admin].[sales]._index.jsx"]
    assert json.loads(sales.split("addInitialState(")[1].split(");")[0]) == {
        "report": {"rows": []},
        "menu": {"open": True},
    }
    assert "addInitialState" not in made["app/routes/_index.jsx"] + made["app/root.jsx"]


def test_values_that_come_with_a_page_reach_the_store_that_is_in_use(tmp_path: Path) -> None:
    context = build(tmp_path, PAGES)["utils/context.jsx"]
    assert "useState(() => (liveStore = createStateStore(initialState)))" in context
    assert "liveStore?.mergeInitialState(values)" in context


@pytest.mark.parametrize("lost", ["createStateStore", "mergeInitialState", "initialState = "])
def test_a_context_that_is_not_written_as_expected_stops_the_build(tmp_path: Path, lost: str) -> None:
    with pytest.raises(subprocess.CalledProcessError) as stopped:
        build(tmp_path, PAGES | {"utils/context.jsx": CONTEXT.replace(lost, "other")})
    assert "is not written as expected" in stopped.value.stderr


def test_pages_that_read_states_otherwise_stop_the_build(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as stopped:
        build(tmp_path, {name: code.replace("useStateContext", "readState") for name, code in PAGES.items()})
    assert "No page was found that reads a state of its own" in stopped.value.stderr


@pytest.mark.browser
def test_the_files_of_the_landing_page_have_no_values_of_admin_pages(built: Path) -> None:
    def scripts(pattern: str) -> str:
        return "".join(file.read_text() for file in built.glob(f"assets/{pattern}"))

    field = "day_from_rx_state_"  # of the audit trail
    assert field in scripts("_admin_._audit_*.js")
    assert field not in scripts("context-*.js") + scripts("root-*.js") + scripts("_index-*.js")
    assert "is_hydrated_rx_state_" in scripts("context-*.js")
