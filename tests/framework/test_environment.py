"""Contract with Reflex: the variables that start it exist, and take these values."""

import os
from dataclasses import fields
from pathlib import Path

import pytest
import reflex as rx
from reflex_base.environment import EnvironmentVariables, environment

from marketplace_app.framework.environment import for_a_build, prepare, prepare_hot_reload, serve_built_pages

SETTINGS = {"REFLEX_TELEMETRY_ENABLED", "REFLEX_API_URL", "REFLEX_DEPLOY_URL"}
"""Of `rx.Config`, which reads them with the same prefix."""


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*os.environ]:
        if name.startswith("REFLEX_"):
            monkeypatch.delenv(name)
    monkeypatch.setattr(os, "environ", dict(os.environ))


def test_every_variable_is_one_that_reflex_reads() -> None:
    prepare(socket_bytes=1024)
    prepare_hot_reload(["package", "file.py"])
    os.environ.update(for_a_build(Path("pages")))
    ours = {name for name in os.environ if name.startswith("REFLEX_")}
    known = {name for name in vars(EnvironmentVariables) if name.startswith("REFLEX_")}
    assert ours - SETTINGS <= known
    assert {name.removeprefix("REFLEX_").lower() for name in SETTINGS} <= {each.name for each in fields(rx.Config)}


def test_reflex_reads_the_values() -> None:
    prepare(socket_bytes=1024)
    assert environment.REFLEX_SOCKET_MAX_HTTP_BUFFER_SIZE.get() == 1024
    assert environment.REFLEX_USE_NPM.get() is True
    assert environment.REFLEX_CHECK_LATEST_VERSION.get() is False
    assert environment.REFLEX_ENV_MODE.get().value == "prod"
    prepare_hot_reload(["package", "file.py"])
    assert [str(path) for path in environment.REFLEX_HOT_RELOAD_OVERRIDE_PATHS.get()] == ["package", "file.py"]
    assert environment.REFLEX_STRICT_HOT_RELOAD.get() is True


def test_serving_uses_the_build_without_compiling() -> None:
    serve_built_pages()
    assert environment.REFLEX_SKIP_COMPILE.get() is True
    assert environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP.get() is True
