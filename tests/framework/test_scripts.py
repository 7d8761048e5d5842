"""Contract with Reflex and React: what the store's own scripts in `assets/` rely on."""

import re
from pathlib import Path

import pytest
import reflex_base

ROOT = Path(__file__).parents[2]
STATE = Path(reflex_base.__file__).parent / ".templates" / "web" / "utils" / "state.js"


def test_the_token_of_a_tab_is_in_session_storage_only() -> None:
    """`session.js` empties that at sign-out, so that nobody gets the state of whoever was here before."""
    client = STATE.read_text()
    assert re.findall(r"(\w+)\.setItem\(\s*TOKEN_KEY", client) == ["sessionStorage"] * 2
    assert "sessionStorage.clear()" in (ROOT / "assets" / "session.js").read_text()


@pytest.mark.browser
def test_the_router_numbers_the_entries_of_the_history(built: Path) -> None:
    """`components/shell/navigation.py` and `session.js` lead back to the list by `history.state.idx`."""
    assert any(re.search(r"\bidx:", file.read_text()) for file in (built / "assets").glob("*.js"))
