"""The store for the screenshots: `make run`'s command on its own port, with an empty database."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.running import Store, running

PORT = int(os.environ.get("SCREENS_PORT", "8785"))


@contextmanager
def open_store() -> Iterator[Store]:
    with (
        tempfile.TemporaryDirectory(prefix="store-screens-") as folder,
        running("marketplace_app.jobs.serve", PORT, Path(folder), {"REFLEX_WEB_WORKDIR": ".web-screens"}) as store,
    ):
        yield store
