"""The image: pages built with their settings and without secrets, served without Node by an account of its own."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from marketplace_app.config import Settings
from marketplace_app.jobs.build_pages import BUILD_SETTINGS, SOURCES
from tests.deploy.programs import DEPLOY, complaints

DOCKERFILE = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
OF_THE_PROCESS = {"HOME", "PATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"}


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} +(.*)$", DOCKERFILE, re.M)


def names(text: str) -> set[str]:
    return set(re.findall(r"(\w+)=", text))


def test_the_linter_accepts_the_dockerfile() -> None:
    assert complaints("hadolint", "deploy/Dockerfile") == ""


def test_both_stages_know_every_setting_that_goes_into_the_pages() -> None:
    """Otherwise a container would start with other pages than its settings ask for, and refuse."""
    given = [names(each) for each in instructions("ARG") if "STORE_NAME" in each]
    assert given == [set(BUILD_SETTINGS) - {"ENVIRONMENT"}] * 2
    (environment,) = [each for each in instructions("ENV") if "STORE_NAME" in each]
    assert set(BUILD_SETTINGS) <= names(environment)
    assert {name.lower() for name in names(environment) - OF_THE_PROCESS} <= set(Settings.model_fields)


def test_the_build_context_has_the_sources_and_nothing_else() -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    sent = {rule[1:] for rule in rules if rule.startswith("!")}
    assert {source.split("/")[0] for source in SOURCES} <= sent
    assert not sent & {".git", ".env", "data", "deploy", "tests"}


def test_it_runs_as_an_account_without_rights() -> None:
    assert instructions("USER") == ["10001:10001"]
    assert "--uid 10001 " in DOCKERFILE
    assert "COPY --from=build /srv/stillroom /srv/stillroom" in DOCKERFILE, "no --chown: it cannot change the code"


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
def test_the_health_check_believes_the_store(status: int, code: int) -> None:
    (command,) = re.findall(r"CMD (\[.*urllib.*\])", DOCKERFILE)
    with answering(status) as (port, paths):
        environment = os.environ | {"PORT": str(port)}
        program = [sys.executable, *json.loads(command)[1:]]
        assert subprocess.run(program, env=environment, capture_output=True, check=False).returncode == code
    assert paths == ["/readyz"]


@contextmanager
def answering(status: int) -> Iterator[tuple[int, list[str]]]:
    paths = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port, paths
        server.shutdown()
