"""Where backups are kept: a file, a folder, or a bucket of any S3-compatible service (`s3://BUCKET/PREFIX`)."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.jobs.commands.console import CommandError

NAME = re.compile(r"store-\d{8}T\d{6}Z\.tar\.gz(\.age)?")
"""What a backup in a folder or a bucket is called. Other files there are never touched."""
S3 = "s3://"


class Target(Protocol):
    def names(self) -> list[str]:
        """The names of all files there."""

    def put(self, file: Path, name: str) -> None:
        """Write all of the file or nothing; replaces a file of that name. `file` is in `scratch()` and may be moved."""

    def delete(self, name: str) -> None: ...


class FolderTarget:
    def __init__(self, path: Path) -> None:
        self.path = path

    def names(self) -> list[str]:
        return [each.name for each in self.path.iterdir() if each.is_file()]

    def put(self, file: Path, name: str) -> None:
        file.replace(self.path / name)

    def delete(self, name: str) -> None:
        (self.path / name).unlink(missing_ok=True)


class BucketTarget:
    """With the credentials of the store's own bucket: `S3_ENDPOINT`, `S3_REGION`, `S3_KEY` and `S3_SECRET`."""

    def __init__(self, url: str) -> None:
        try:
            from obstore.store import S3Store
        except ImportError:
            raise CommandError("A bucket needs one more package: pip install -r requirements-s3.txt") from None
        bucket, _, prefix = url.removeprefix(S3).partition("/")
        if not bucket:
            raise CommandError(f"{url} names no bucket: write s3://BUCKET/PREFIX.")
        settings = get_settings()
        self._client: Any = S3Store(
            bucket,
            prefix=prefix.strip("/") or None,
            endpoint=settings.s3_endpoint or None,
            region=settings.s3_region,
            access_key_id=settings.s3_key,
            secret_access_key=settings.s3_secret.get_secret_value(),
            client_options={"allow_http": True, "timeout": "10m", "connect_timeout": "10s"},
            retry_config={"max_retries": 2},
        )

    def names(self) -> list[str]:
        with _explaining_failures():
            return [each["path"] for each in self._client.list_with_delimiter()["objects"]]

    def put(self, file: Path, name: str) -> None:
        with _explaining_failures():
            self._client.put(name, file)

    def delete(self, name: str) -> None:
        with _explaining_failures():
            self._client.delete(name)

    def fetch(self, name: str, file: Path) -> None:
        """Raises CommandError if there is no such file."""
        with _explaining_failures(), file.open("wb") as written:
            for chunk in self._client.get(name):
                written.write(chunk)


@contextmanager
def _explaining_failures() -> Iterator[None]:
    from obstore.exceptions import BaseError

    try:
        yield
    except FileNotFoundError:
        raise CommandError("There is no such file or bucket.") from None
    except BaseError as error:
        reason = next(filter(None, (line.strip() for line in str(error).splitlines())), type(error).__name__)
        raise CommandError(f"The bucket cannot be used: {reason[:300]}") from None


def target_of(text: str) -> tuple[Target, str | None]:
    """The folder or bucket that the text names. If it names a file, the folder of the file, and its name.

    Raises CommandError for a folder that does not exist.
    """
    if text.startswith(S3):
        return BucketTarget(text), None
    path = Path(text)
    if text.endswith("/") and not path.is_dir():
        raise CommandError(f"There is no folder {text}. Create it first.")
    return (FolderTarget(path), None) if path.is_dir() else (FolderTarget(path.parent), path.name)


@contextmanager
def scratch(target: Target) -> Iterator[Path]:
    """A folder in which to prepare a file, so that `put` takes a single step."""
    parent = target.path if isinstance(target, FolderTarget) else None
    with tempfile.TemporaryDirectory(dir=parent, prefix=".backup-") as name:
        yield Path(name)


def new_name(*, is_encrypted: bool) -> str:
    return f"store-{clock.now():%Y%m%dT%H%M%SZ}.tar.gz{'.age' if is_encrypted else ''}"


def delete_old(target: Target, keep: int) -> int:
    """Keep that many of the newest backups; returns how many were deleted."""
    old = sorted(filter(NAME.fullmatch, target.names()))[:-keep]
    for name in old:
        target.delete(name)
    return len(old)


@contextmanager
def fetched(text: str, folder: Path) -> Iterator[Path]:
    """The file that the text names, copied into the folder first if it is in a bucket."""
    if not text.startswith(S3):
        yield Path(text)
        return
    parent, _, name = text.rpartition("/")
    if not (name and parent.startswith(S3)):
        raise CommandError(f"{text} names no file: write s3://BUCKET/PREFIX/NAME.")
    file = folder / "fetched"
    BucketTarget(parent).fetch(name, file)
    try:
        yield file
    finally:
        file.unlink(missing_ok=True)
