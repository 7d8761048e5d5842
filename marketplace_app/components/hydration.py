"""Parts of a page that belong to somebody else than React: the scripts in `assets/`, or the page as it was built."""

from typing import Any


def unmanaged() -> dict[str, Any]:
    """For `custom_attrs`: React leaves alone what it is told to be raw HTML, whatever stands there by then."""
    return {"dangerouslySetInnerHTML": {"__html": ""}, "suppressHydrationWarning": True}
