"""Files are stored in a folder or in an S3 bucket."""

import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer

from marketplace_app.adapters import storage
from marketplace_app.errors import Unavailable

NAME = "pictures/0123456789abcdef-640.webp"


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = ThreadedMotoServer("127.0.0.1", port, verbose=False)
    server.start()
    address = f"http://127.0.0.1:{port}"
    keys = {"aws_access_key_id": "shop", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
    boto3.client("s3", endpoint_url=address, **keys).create_bucket(Bucket="shop-files")
    yield address
    server.stop()


@pytest.fixture(params=["folder", "bucket"])
def get_storage(
    request: pytest.FixtureRequest, configure: Callable[..., None], tmp_path: Path
) -> Callable[[], storage.Storage]:
    """The store's storage, in a folder and in a bucket."""
    if request.param == "folder":
        configure(UPLOADS=str(tmp_path))
    else:
        address = request.getfixturevalue("s3")
        configure(S3_BUCKET="shop-files", S3_ENDPOINT=address, S3_KEY="shop", S3_SECRET="secret")
    return storage.get_storage


def test_a_saved_file_exists_until_it_is_deleted(get_storage: Callable[[], storage.Storage]) -> None:
    assert get_storage().open(NAME) is None
    get_storage().save_all({NAME: b"first"})
    get_storage().save_all({NAME: b"second"})
    assert get_storage().open(NAME) == b"second"
    storage.delete_by_url(storage.url_of(NAME))
    assert get_storage().open(NAME) is None
    get_storage().delete(NAME)


@pytest.mark.parametrize(
    "name", ["../x.webp", "pictures/../../x.webp", "/etc/x.webp", "pictures/x.html", "pictures/A.webp"]
)
def test_an_invalid_file_name_is_refused(get_storage: Callable[[], storage.Storage], name: str) -> None:
    assert not storage.is_upload_name(name)
    with pytest.raises(AssertionError):
        get_storage().open(name)


@pytest.mark.parametrize("name", ["../x.webp", "pictures/../../x.webp", "pictures/x.html", "pictures/A.webp"])
def test_only_files_that_can_be_uploads_are_deleted_by_url(
    configure: Callable[..., None], tmp_path: Path, name: str
) -> None:
    uploads = tmp_path / "uploads"
    configure(UPLOADS=str(uploads))
    (uploads / "pictures").mkdir(parents=True)
    file = uploads / name
    file.write_bytes(b"not an upload")
    storage.delete_by_url(f"/uploads/{name}")
    assert file.read_bytes() == b"not an upload"


def test_an_unreachable_bucket_is_a_503_and_logged(
    configure: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    configure(S3_BUCKET="shop-files", S3_ENDPOINT="http://127.0.0.1:9", S3_KEY="shop", S3_SECRET="secret")
    with pytest.raises(Unavailable):
        storage.get_storage().open(NAME)
    assert [(each.levelname, each.getMessage()) for each in caplog.records] == [
        ("ERROR", "the bucket failed: GenericError")
    ]


def test_a_bucket_without_its_library_says_what_to_install(
    configure: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "obstore.store", None)
    configure(S3_BUCKET="shop-files")
    with pytest.raises(RuntimeError, match=r"requirements-s3\.txt"):
        storage.get_storage()
