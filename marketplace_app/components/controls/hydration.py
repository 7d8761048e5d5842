"""Parts of a page that React does not manage: the scripts in `assets/` fill them, or they stay as built."""

from typing import Any


def unmanaged() -> dict[str, Any]:
    """For `custom_attrs`: React does not hydrate the content of an element declared as raw HTML."""
    return {"dangerouslySetInnerHTML": {"__html": ""}, "suppressHydrationWarning": True}
