"""Building the pages apart from serving them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from marketplace_app.config import Settings
from marketplace_app.framework import built_pages
from marketplace_app.jobs import build_pages
from tests.conftest import forget_settings


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(built_pages, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(built_pages, "FOLDER", tmp_path)
    monkeypatch.setattr("shutil.which", lambda _: None)
    (tmp_path / "index.html").touch()
    (tmp_path / "stamp").write_text(build_pages._fingerprint())
    return tmp_path


def test_pages_that_fit_are_served_without_node(built: Path) -> None:
    build_pages.build_pages()


def test_without_node_pages_of_another_shop_are_refused(
    built: Path, configure: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    configure(STORE_NAME="Another Shop")
    with pytest.raises(SystemExit) as ended:
        build_pages.build_pages()
    assert ended.value.code == 2
    assert "STORE_NAME" in capsys.readouterr().out


def test_pages_are_built_again_when_the_file_of_settings_names_another_shop(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("STORE_NAME=Another Shop")
    monkeypatch.chdir(tmp_path)
    forget_settings()
    try:
        with pytest.raises(SystemExit):
            build_pages.build_pages()
    finally:
        monkeypatch.undo()
        forget_settings()


def test_pages_of_a_production_store_need_no_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only the address of the support is asked for: it is on the pages."""
    monkeypatch.setattr(os, "environ", {"ENVIRONMENT": "production", "REDIS_URL_FILE": "/secret", "WORKERS": "2"})
    monkeypatch.setattr(build_pages, "prepare_environment", lambda: None)
    monkeypatch.setattr(build_pages, "settings_or_exit", lambda: None)
    monkeypatch.setattr(build_pages, "build_pages", lambda: None)
    build_pages.main()
    with pytest.raises(ValueError, match=r"production needs these settings: SUPPORT_EMAIL \(still holds an example\)"):
        Settings(_env_file=None)
    env_file = tmp_path / ".env"
    env_file.write_text("SESSION_SECRET_FILE=/secret")
    assert Settings(_env_file=env_file, support_email="help@stillroom-shop.com").is_https


def test_a_build_that_fails_leaves_the_formatting_of_the_lock(
    built: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = built / "reflex.lock" / "package.json"
    lock.parent.mkdir()
    lock.write_text(before := '{"name": "reflex", "type": "module"}\n')

    def fail(_command: list[str], _folder: Path) -> int:
        lock.write_text('{"name":"reflex","type":"module"}')
        return 1

    monkeypatch.setattr("shutil.which", lambda _: "npm")
    monkeypatch.setattr(build_pages, "use_npm_registry", lambda: None)
    monkeypatch.setattr(build_pages, "ROOT", built)
    monkeypatch.setattr(build_pages, "_fingerprint", lambda: "changed")
    monkeypatch.setattr(build_pages.process_group, "run", fail)
    with pytest.raises(SystemExit, match="The pages could not be built"):
        build_pages.build_pages()
    assert lock.read_text() == before
