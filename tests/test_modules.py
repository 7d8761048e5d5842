"""Modules stay short enough to be read as a whole."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
MAX_LINES = 300


def test_no_module_is_longer_than_300_lines() -> None:
    modules = [path for folder in ("marketplace_app", "tools") for path in (ROOT / folder).rglob("*.py")]
    assert modules
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in modules}
    too_long = {name: length for name, length in lengths.items() if length > MAX_LINES}
    assert too_long == {}, f"Divide these by subject, to at most {MAX_LINES} lines each: {too_long}"
