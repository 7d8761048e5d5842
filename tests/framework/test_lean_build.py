"""Contract with Reflex and its packages: what is left out of the bundle, and that nothing else needs it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from reflex.utils import frontend_skeleton
from reflex_base.config import get_config

from marketplace_app.framework.lean_build import LeanBuildPlugin, with_lean_build
from marketplace_app.framework.patching import NothingToPatch

LEFT_OUT = {
    "Emotion": "data-emotion",
    "universal-cookie": "doNotUpdate",
    "long-polling": "pollComplete",
    "the namespaces for components that are sent as text": "__reflex=",
    "WebTransport": "WebTransport",
    "the time of the build": "last_reflex_run_datetime",
    "hashes of vars, which differ in each build": "reflex_Var_",
}
"""Words of each that no minifier changes: what no built script may have."""
PREAMBLE = """
import lean from "./plugin.js";
const fail = (message) => { throw new Error(message) };
const plugin = lean();
const context = { error: fail, environment: { name: "client" } };
const generated = "/x/.web/app/routes/_index.jsx";
"""


def run(tmp_path: Path, script: str) -> str:
    """Runs the script with the plugin in Node; returns what it prints, and its errors."""
    for name, content in LeanBuildPlugin().get_static_assets():
        (tmp_path / name.name).write_text(str(content))
    (tmp_path / "run.mjs").write_text(PREAMBLE + script)
    node = shutil.which("node", path=str(Path(".venv/bin").absolute())) or "node"
    ran = subprocess.run([node, "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr


def test_vite_loads_the_plugin() -> None:
    ours = with_lean_build(frontend_skeleton._compile_vite_config(get_config()))
    assert ours.startswith('import leanBuild from "./lean-build/plugin.js";\n')
    assert "plugins: [\n    leanBuild()," in ours
    with pytest.raises(NothingToPatch):
        with_lean_build("export default {}")


def test_a_component_that_needs_emotion_stops_the_build(tmp_path: Path) -> None:
    assert run(tmp_path, 'plugin.transform.call(context, "jsx(x, {className:y})", generated);') == ""
    assert 'has a "css" prop' in run(tmp_path, 'plugin.transform.call(context, "jsx(x, {css:({})})", generated);')


def test_a_package_that_is_not_imported_any_more_stops_the_build(tmp_path: Path) -> None:
    left_out = "jsx.js, merge.js, cookies.js, transports.js, upload.js, app/root.jsx, utils/state.js, reflex.json"
    assert left_out in run(tmp_path, "plugin.buildEnd.call(context);")
    (tmp_path / "reflex.json").write_text('{"version": "1"}')
    script = """
const facts = new URL("reflex.json", import.meta.url).pathname;
plugin.resolveId("@emotion/react");
plugin.resolveId("mergician");
plugin.resolveId("universal-cookie");
plugin.load("/x/node_modules/engine.io-client/build/esm/transports/index.js");
plugin.load("/x/.web/utils/helpers/upload.js");
plugin.transform.call(context, "useEffect(() => { window.__reflex = { react: React }; }, [])", "/x/.web/app/root.jsx");
plugin.transform.call(context, "eval(`import(uri)`)", "/x/.web/utils/state.js");
plugin.load(facts);
plugin.buildEnd.call(context);
"""
    assert run(tmp_path, script) == ""


def test_no_eval_is_left_to_stop_the_minifier_from_shortening_names(tmp_path: Path) -> None:
    code = '"x = eval(a); y = eval?.(b); eval_result(c)"'
    made = run(tmp_path, f'console.log(plugin.transform.call(context, {code}, "/utils/state.js").code);')
    assert made.startswith("x = noEval(a); y = noEval(b); eval_result(c)\n")


def test_of_the_facts_of_a_build_only_the_version_is_kept(tmp_path: Path) -> None:
    (tmp_path / "reflex.json").write_text('{"version": "1", "project_hash": 2, "last_reflex_run_datetime": "today"}')
    script = 'console.log(plugin.load(new URL("reflex.json", import.meta.url).pathname));'
    assert run(tmp_path, script) == '{"version":"1"}\n'


def test_a_use_of_other_facts_of_a_build_stops_the_build(tmp_path: Path) -> None:
    used = 'import reflexEnvironment from "$/reflex.json"; x = reflexEnvironment.version;'
    script = 'plugin.transform.call(context, {code}, "/utils/state.js");'
    assert run(tmp_path, script.format(code=f"`{used}`")) == ""
    assert "uses more of reflex.json" in run(tmp_path, script.format(code="`reflexEnvironment.project_hash`"))


@pytest.mark.browser
@pytest.mark.parametrize("what", LEFT_OUT)
def test_built_scripts_leave_it_out(built: Path, what: str) -> None:
    scripts = list(built.glob("assets/*.js"))
    assert scripts
    assert [script.name for script in scripts if LEFT_OUT[what] in script.read_text()] == []


@pytest.mark.browser
def test_a_built_page_has_no_styles_of_emotion(built: Path) -> None:
    assert not re.search(r"data-emotion|class=\"css-", (built / "index.html").read_text())
