"""Nobody but the store's own account may read what it writes."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from marketplace_app.config import get_settings
from marketplace_app.jobs.private_files import keep_private

Configure = Callable[..., None]


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.attack("files that others may read")
def test_new_files_are_the_owners_alone(tmp_path: Path, configure: Configure) -> None:
    configure(DATABASE_URL=f"sqlite:///{tmp_path}/store.db", MAIL_FOLDER=str(tmp_path / "mail"), UPLOADS=str(tmp_path))
    keep_private(get_settings())
    (tmp_path / "letter").write_text("Dear Nora")
    assert (tmp_path / "letter").stat().st_mode & 0o777 == 0o600


@pytest.mark.attack("files that others may read")
def test_existing_files_become_private(tmp_path: Path, configure: Configure) -> None:
    mail = tmp_path / "mail"
    mail.mkdir(mode=0o755)
    for name in ("store.db", "store.db-wal"):
        (tmp_path / name).touch(0o644)
    configure(DATABASE_URL=f"sqlite:///{tmp_path}/store.db", MAIL_FOLDER=str(mail), UPLOADS=str(tmp_path / "none"))
    keep_private(get_settings())
    assert (tmp_path / "store.db").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "store.db-wal").stat().st_mode & 0o777 == 0o600
    assert mail.stat().st_mode & 0o777 == 0o700
