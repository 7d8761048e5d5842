"""The two installations on which faults are tried: the cluster, and one process on SQLite."""

import os
import ssl
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope
from aiosmtpd.smtp import Session as SmtpSession

from tools.cluster.control import ROOT, Cluster
from tools.cluster.processes import Program, wait_until_ready
from tools.faults.disks import Disk

CLOCK_SHIFT = Path(__file__).parent / "shifted"
"""The folder of the `sitecustomize.py` that makes the store's clock wrong."""


class Mailbox:
    """A mail server that accepts everything, and can be taken down."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._controller: Controller | None = None
        self.recipients: set[str] = set()
        self._arrived = threading.Condition()

    async def handle_DATA(self, _server: SMTP, _session: SmtpSession, envelope: Envelope) -> str:  # noqa: N802
        with self._arrived:
            self.recipients |= {*envelope.rcpt_tos}
            self._arrived.notify_all()
        return "250 OK"

    def start(self) -> None:
        """Does nothing if it is already running."""
        if self._controller is None:
            self._controller = Controller(self, hostname="127.0.0.1", port=self._port)
            self._controller.start()

    def stop(self) -> None:
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    def wait_for(self, recipient: str, seconds: float) -> bool:
        with self._arrived:
            return self._arrived.wait_for(lambda: recipient in self.recipients, seconds)


@dataclass(frozen=True)
class Site(Cluster):
    """An installation with a clock that can be wrong, disks that can be full and a mail server that can be down: the
    cluster, unless a subclass says otherwise."""

    mailbox: Mailbox = field(init=False)

    def __post_init__(self) -> None:
        settings = {
            "PYTHONPATH": os.pathsep.join((str(CLOCK_SHIFT), str(ROOT))),
            "STORE_CLOCK_OFFSET": str(self._offset),
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(self.mail_port),
            "SMTP_SECURITY": "none",
        }
        object.__setattr__(self, "settings", {**self.settings, **settings})
        object.__setattr__(self, "mailbox", Mailbox(self.mail_port))

    def prepare(self) -> None:
        """Put the database on the disk that can be filled. Its usual path becomes a symbolic link to a folder
        there."""
        self.postgresql.symlink_to(self.disks["database"].path / "data")

    @property
    def disks(self) -> dict[str, Disk]:
        return {name: Disk(self.folder / name) for name in ("database", "uploads", "logs")}

    @property
    def provider_port(self) -> int:
        return self.port + 3

    @property
    def mail_port(self) -> int:
        return self.port + 5

    def shift_clock(self, seconds: float) -> None:
        """Shift the store's clock only: the identity provider, the mail server and the database keep the right time."""
        self._offset.write_text(str(seconds))

    @property
    def _offset(self) -> Path:
        return self.folder / "clock-offset"


class SqliteSite(Site):
    """One process of the store and the identity provider, without a proxy."""

    def prepare(self) -> None:
        pass

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def database_url(self) -> str:
        return f"sqlite:///{self.disks['database'].path / 'store.db'}"

    def start(self) -> None:
        settings = {
            **self.settings,
            "PORT": str(self.port),
            "DATABASE_URL": self.database_url,
            "OIDC_ISSUER": f"http://localhost:{self.provider_port}",
            "UPLOADS": str(self.folder / "uploads"),
            "RUN_SHEETS": str(self.folder / "run-sheets"),
            "REFLEX_STATES_WORKDIR": str(self.folder / "states"),
        }
        self._start("identity-provider", "marketplace_app.jobs.identity", settings)
        program = self._start("store-1", "marketplace_app.jobs.serve", settings)
        wait_until_ready(self.url, program)

    def stop(self) -> None:
        for name in ("store-1", "identity-provider"):
            Program(name, self.folder).stop()

    def workers(self, name: str) -> list[psutil.Process]:
        return [self.running(name)]

    def ssl_context(self) -> ssl.SSLContext:
        return ssl.create_default_context()

    def _start(self, name: str, module: str, settings: dict[str, str]) -> Program:
        program = Program(name, self.folder)
        program.start([sys.executable, "-m", module], settings, cwd=ROOT)
        return program
