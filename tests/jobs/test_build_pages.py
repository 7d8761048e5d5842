"""Building the pages apart from serving them."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from marketplace_app.config import Settings
from marketplace_app.framework import built_pages
from marketplace_app.jobs import build_pages
from tests.conftest import forget_settings


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as Reflex's working folder, with pages that fit."""
    web = tmp_path / "web"
    monkeypatch.setattr(built_pages, "STAMP", web / "build" / "stamp")
    monkeypatch.setattr(built_pages, "FOLDER", web / "build" / "client")
    monkeypatch.setattr("shutil.which", lambda _: None)
    (web / "build" / "client").mkdir(parents=True)
    (web / "build" / "client" / "index.html").write_text("earlier")
    (web / "node_modules").mkdir()
    (web / "node_modules" / "package").touch()
    (web / "build" / "stamp").write_text(build_pages._fingerprint())
    return web


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


def test_without_node_pages_are_also_refused_if_the_env_file_names_another_shop(
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
    """Only the support's address is required: it is on the pages."""
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

    def fail(_command: list[str], _folder: Path, _environ: Mapping[str, str]) -> int:
        lock.write_text('{"name":"reflex","type":"module"}')
        return 1

    monkeypatch.setattr(build_pages, "ROOT", built)
    build_with(fail, monkeypatch)
    with pytest.raises(SystemExit, match="The pages could not be built"):
        build_pages.build_pages()
    assert lock.read_text() == before


def build_with(run: Callable[[list[str], Path, Mapping[str, str]], int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that do not fit any more are built by `run` in place of Reflex."""
    monkeypatch.setattr("shutil.which", lambda _: "npm")
    monkeypatch.setattr(build_pages, "use_npm_registry", lambda: None)
    monkeypatch.setattr(build_pages, "_fingerprint", lambda *_: "changed")
    monkeypatch.setattr(build_pages.process_group, "run", run)


def test_the_last_pages_are_served_until_the_next_are_built(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(_command: list[str], _folder: Path, environ: Mapping[str, str]) -> int:
        following = Path(environ["REFLEX_WEB_WORKDIR"])
        assert (built / "build" / "client" / "index.html").read_text() == "earlier"
        assert (following / "node_modules" / "package").exists()
        (following / "build" / "client").mkdir(parents=True)
        (following / "build" / "client" / "index.html").write_text("next")
        return 0

    build_with(build, monkeypatch)
    build_pages.build_pages()
    assert (built / "build" / "client" / "index.html").read_text() == "next"
    assert (built / "build" / "stamp").read_text() == "changed"
    assert (built / "node_modules" / "package").exists()
    assert [each.name for each in built.parent.iterdir()] == ["web"]


@pytest.mark.parametrize(("written", "are_current"), [("assets/theme.js", False), (build_pages.LOCK, True)])
def test_pages_are_built_again_if_a_source_was_saved_during_their_build(
    written: str, are_current: bool, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But not because of the lock, which the build writes: an image has no Node to build them again."""
    usual = build_pages._fingerprint

    def build(_command: list[str], root: Path, environ: Mapping[str, str]) -> int:
        (Path(environ["REFLEX_WEB_WORKDIR"]) / "build" / "client").mkdir(parents=True)
        (root / written).write_text("saved")
        return 0

    for name in ("assets", "reflex.lock"):
        (built.parent / "checkout" / name).mkdir(parents=True)
    (built.parent / "checkout" / "reflex.lock" / "package.json").write_text("{}")
    build_with(build, monkeypatch)
    monkeypatch.setattr(build_pages, "_fingerprint", usual)
    monkeypatch.setattr(build_pages, "ROOT", built.parent / "checkout")
    build_pages.build_pages()
    assert build_pages._is_current(built_pages.STAMP) is are_current


def test_a_build_that_fails_leaves_the_last_pages(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_with(lambda *_: 1, monkeypatch)
    with pytest.raises(SystemExit, match="The pages could not be built"):
        build_pages.build_pages()
    assert (built / "build" / "client" / "index.html").read_text() == "earlier"
    assert (built / "node_modules" / "package").exists()
    assert [each.name for each in built.parent.iterdir()] == ["web"]


@pytest.mark.parametrize("killed_when", ["building", "replacing"])
def test_the_next_build_puts_back_what_a_killed_one_has_moved(
    killed_when: str, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    following = built.with_name("web-next")
    following.mkdir()
    (built / "node_modules").rename(following / "node_modules")
    if killed_when == "replacing":
        built.rename(built.with_name("web-earlier"))
    build_with(lambda *_: 1, monkeypatch)
    with pytest.raises(SystemExit):
        build_pages.build_pages()
    assert (built / "build" / "client" / "index.html").read_text() == "earlier"
    assert (built / "node_modules" / "package").exists()
