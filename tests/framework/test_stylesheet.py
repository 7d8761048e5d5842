"""Contract with Reflex: its Tailwind plugin writes one root stylesheet, which ours takes the place of."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from reflex.compiler import utils
from reflex_base.plugins.tailwind_v4 import compile_root_style

from marketplace_app.framework.patching import NothingToPatch
from marketplace_app.framework.stylesheet import CONFIGURATION, ROOT_STYLESHEET, StylesheetPlugin

PLUGIN = StylesheetPlugin(stylesheet=lambda: "ours")


def compiled() -> dict[Path, str]:
    """What Reflex's compiler does with the tasks of a plugin, for the files that it writes anew."""
    saved: dict[Path, str] = {}
    modified: list[tuple[str, Any]] = []

    def save(task: Any, *arguments: Any) -> None:
        path, text = task(*arguments)
        saved[utils.resolve_path_of_web_dir(path)] = text

    PLUGIN.pre_compile(
        add_save_task=save,
        add_modify_task=lambda path, modify: modified.append((path, modify)),
        radix_themes_plugin=SimpleNamespace(enabled=False),
    )
    for path, modify in modified:
        if (file := utils.resolve_path_of_web_dir(path)) in saved:
            saved[file] = modify(saved[file])
    return saved


def test_the_stores_stylesheet_replaces_reflexs() -> None:
    assert compiled()[utils.resolve_path_of_web_dir(ROOT_STYLESHEET)] == "ours"


def test_another_stylesheet_than_the_known_one_is_not_replaced() -> None:
    path, theirs = compile_root_style(include_radix_themes=False)
    assert utils.resolve_path_of_web_dir(path) == utils.resolve_path_of_web_dir(ROOT_STYLESHEET)
    assert PLUGIN.replace(theirs) == "ours"
    with pytest.raises(NothingToPatch):
        PLUGIN.replace(theirs.replace(CONFIGURATION, ""))


@pytest.mark.browser
def test_the_built_pages_have_it_and_no_theme_of_tailwinds(built: Path) -> None:
    styles = "".join(file.read_text() for file in (built / "assets").glob("*.css"))
    assert "--paper:" in styles
    assert "--color-red-500" not in styles
