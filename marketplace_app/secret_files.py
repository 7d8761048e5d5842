"""Secrets in files: `SESSION_SECRET_FILE` names a file that holds `SESSION_SECRET`, and so on (RULE secret-files)."""

import os
from collections.abc import Mapping
from pathlib import Path

SECRETS = (
    "database_url",
    "database_direct_url",
    "redis_url",
    "session_secret",
    "accepted_session_secret",
    "identity_key",
    "oidc_client_secret",
    "smtp_password",
    "s3_key",
    "s3_secret",
)
"""Settings that may come from a file: whoever can list processes or read a crash report sees environment variables."""


def read(values: Mapping[str, object]) -> dict[str, str]:
    """The secrets that are in files. `values` are the settings from all other sources, such as `.env`.

    An empty variable names no file, just as an empty setting takes its default.
    """
    found = {}
    for name in SECRETS:
        variable = f"{name.upper()}_FILE"
        path = os.environ.get(variable, values.get(variable.lower()))
        if not path:
            continue
        if values.get(name):
            raise ValueError(f"{name.upper()} and {variable} are both set. Please remove one")
        found[name] = _read_one(variable, str(path))
    return found


def _read_one(variable: str, path: str) -> str:
    try:
        content = Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ValueError(f"{variable}: {path} cannot be read: {reason}") from error
    if not content:
        raise ValueError(f"{variable}: {path} is empty")
    return content
