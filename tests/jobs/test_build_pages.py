"""Building the pages apart from serving them."""

import os
from pathlib import Path

import pytest

from marketplace_app.config import Settings
from marketplace_app.framework import built_pages
from marketplace_app.jobs import build_pages


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
    built: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STORE_NAME", "Another Shop")
    with pytest.raises(SystemExit) as ended:
        build_pages.build_pages()
    assert ended.value.code == 2
    assert "STORE_NAME" in capsys.readouterr().out


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
