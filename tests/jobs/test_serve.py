"""A start that cannot succeed ends with a sentence."""

import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

from tests.databases import ROOT


def test_a_database_of_an_unknown_revision_is_explained(tmp_path: Path) -> None:
    """As after changing to a branch without the newest migration."""
    with sqlite3.connect(tmp_path / "store.db") as database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES ('9999')")
    database.close()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = {"DATABASE_URL": f"sqlite:///{tmp_path}/store.db", "UPLOADS": str(tmp_path), "PORT": str(port)}
    command = [sys.executable, "-m", "marketplace_app.jobs.serve"]
    ended = subprocess.run(command, cwd=ROOT, env=os.environ | place, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert "Can't locate revision identified by '9999'" in ended.stderr
    assert "DATABASE_URL" in ended.stderr
    assert "Traceback" not in ended.stderr
