"""Before hydration: which scripts run on every page, and which of its controls work without React."""

from pathlib import Path

_ASSETS = Path(__file__).parents[2] / "assets"
SCRIPTS = tuple(_ASSETS / name for name in ("gate.js", "session.js", "film.js", "overlays.js"))

CONTROLS_WITHOUT_REACT = (
    "dialog, #film-toggle, [data-answer], [data-sign-out], [data-delete-account], [data-copy], [data-download], "
    "[data-upload]"
)
"""Controls that the scripts in `assets/` handle."""
