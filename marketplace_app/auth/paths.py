"""Where a browser may be sent after signing in: a path of this site and nothing else."""

from urllib.parse import urlsplit


def safe_path(wanted: str | None, fallback: str = "/") -> str:
    """`/product/7?x=1` stays; `//evil`, `https://evil`, `/\\evil`, control characters and `/api` do not."""
    if not wanted or not wanted.startswith("/") or wanted.startswith("//"):
        return fallback
    if "\\" in wanted or any(ord(c) < 33 or ord(c) == 127 for c in wanted):
        return fallback
    parts = urlsplit(wanted)
    if parts.scheme or parts.netloc or parts.path.startswith("/api"):
        return fallback
    return wanted
