"""The store's files are readable only by its own account: they hold orders, mail and addresses."""

import logging
import os
from pathlib import Path

from sqlalchemy.engine import make_url

from marketplace_app.config import Settings

logger = logging.getLogger(__name__)
GROUP_AND_OTHERS = 0o077
FILE, FOLDER = 0o600, 0o700
SQLITE_FILES = ("", "-wal", "-shm")


def keep_private(settings: Settings) -> None:
    """New files of this process, and of those it starts, are private from now on. A database and folders that an
    earlier version left readable become private too."""
    os.umask(GROUP_AND_OTHERS)
    if settings.is_sqlite and (database := make_url(settings.database_url).database):
        for suffix in SQLITE_FILES:
            _restrict(Path(database + suffix), FILE)
    for folder in (settings.mail_folder, settings.run_sheets, settings.uploads):
        _restrict(Path(folder), FOLDER)


def _restrict(path: Path, mode: int) -> None:
    """Set the mode of a file or folder, if others may read it; log a warning if another account owns it."""
    try:
        if path.exists() and path.stat().st_mode & GROUP_AND_OTHERS:
            path.chmod(mode)
    except PermissionError:
        logger.warning("%s can be read by other accounts, and belongs to one of them", path)
