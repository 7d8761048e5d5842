"""Where uploaded files are stored: a folder, or with `S3_BUCKET` a bucket of any S3-compatible service.

A file never changes: its name is random, or made from its content. The application answers `/uploads/...` in both
cases, so a bucket need not be public, and the pages need to trust no other host.
"""

import contextlib
import errno
import logging
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from marketplace_app.config import Settings, get_settings
from marketplace_app.errors import Unavailable

URL_PREFIX = "/uploads"
CONTENT_TYPES = {"webp": "image/webp", "pdf": "application/pdf"}
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
logger = logging.getLogger(__name__)
_NAME = re.compile(r"(pictures|reports)/[0-9a-z-]{1,80}\.(webp|pdf)")


class StorageFull(Unavailable):
    code = "storage_full"
    message = "The store has run out of disk space, so nothing was saved. Please tell the store's operator."


class Storage(Protocol):
    def save_all(self, files: Mapping[str, bytes]) -> None:
        """Raises Unavailable if a file cannot be stored. Others may be stored by then; nothing refers to them."""

    def open(self, name: str) -> bytes | None:
        """None if there is no such file."""

    def delete(self, name: str) -> None:
        """Does nothing if the file is missing."""


def is_upload_name(name: str) -> bool:
    """Whether an upload could have this name; other names are never looked up."""
    return _NAME.fullmatch(name) is not None


def content_type(name: str) -> str:
    return CONTENT_TYPES[name.rpartition(".")[2]]


def url_of(name: str) -> str:
    """`/uploads/pictures/1f0c...-640.webp`"""
    return f"{URL_PREFIX}/{name}"


class FolderStorage:
    def __init__(self, root: Path) -> None:
        self.root = root

    def save_all(self, files: Mapping[str, bytes]) -> None:
        """Each file is complete or not there at all, even after a power failure."""
        written: dict[Path, Path] = {}
        with reporting_disk_errors():
            try:
                for name, content in files.items():
                    path = self._path(name)
                    written[path] = self._write_beside(path, content)
                for path, temporary in written.items():
                    temporary.replace(path)
            except BaseException:
                for temporary in written.values():
                    temporary.unlink(missing_ok=True)
                raise

    def _write_beside(self, path: Path, content: bytes) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return Path(temporary)

    def open(self, name: str) -> bytes | None:
        try:
            return self._path(name).read_bytes()
        except FileNotFoundError:
            return None

    def delete(self, name: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._path(name).unlink()

    def _path(self, name: str) -> Path:
        return self.root / _checked(name)


class BucketStorage:
    def __init__(self, settings: Settings) -> None:
        try:
            from obstore.store import S3Store
        except ImportError:
            raise RuntimeError("S3_BUCKET is set: pip install -r requirements-s3.txt") from None
        self._client = S3Store(
            settings.s3_bucket,
            endpoint=settings.s3_endpoint or None,
            region=settings.s3_region,
            access_key_id=settings.s3_key,
            secret_access_key=settings.s3_secret.get_secret_value(),
            client_options={"allow_http": True, "timeout": "10s"},
            retry_config={"max_retries": 2},
        )

    def save_all(self, files: Mapping[str, bytes]) -> None:
        with _reporting_outages():
            for name, content in files.items():
                self._client.put(_checked(name), content, attributes={"Content-Type": content_type(name)})

    def open(self, name: str) -> bytes | None:
        with _reporting_outages(), contextlib.suppress(FileNotFoundError):
            return bytes(self._client.get(_checked(name)).bytes())
        return None

    def delete(self, name: str) -> None:
        with _reporting_outages(), contextlib.suppress(FileNotFoundError):
            self._client.delete(_checked(name))


def _checked(name: str) -> str:
    assert is_upload_name(name)
    return name


@contextlib.contextmanager
def reporting_disk_errors() -> Iterator[None]:
    """A full or broken disk is logged for operators and becomes a sentence for the user."""
    try:
        yield
    except OSError as error:
        logger.error("a file could not be written: %s", error.strerror)
        raise (StorageFull() if error.errno in DISK_FULL else Unavailable()) from error


@contextlib.contextmanager
def _reporting_outages() -> Iterator[None]:
    """A failure of the bucket is logged for operators, by its kind alone, and becomes Unavailable."""
    from obstore.exceptions import BaseError

    try:
        yield
    except BaseError as error:
        logger.error("the bucket failed: %s", type(error).__name__)
        raise Unavailable() from error


@lru_cache(maxsize=1)
def get_storage() -> Storage:
    settings = get_settings()
    return BucketStorage(settings) if settings.s3_bucket else FolderStorage(Path(settings.uploads))


def delete_by_url(url: str) -> None:
    """Delete the uploaded file at this URL, which nothing refers to any more; any other URL is ignored.

    A file that cannot be deleted stays and is logged. This is not an error: the change that removed the last reference
    to it is already committed.
    """
    name = url.removeprefix(f"{URL_PREFIX}/")
    if is_upload_name(name):
        try:
            get_storage().delete(name)
        except (OSError, Unavailable) as error:
            logger.warning("a file that is no longer used could not be deleted: %s, %s", name, type(error).__name__)
