"""The compose file fits its schema, the store's settings and Caddy's, and limits what each container may do and use."""

import json
import re
from typing import Any

import pytest
import yaml

from marketplace_app.config import Settings
from marketplace_app.jobs.build_pages import BUILD_SETTINGS
from marketplace_app.secret_files import SECRETS
from tests.deploy.programs import DEPLOY, complaints

FILE = "deploy/compose.yaml"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
STORES = [name for name in SERVICES if name.startswith("store-")]
NEITHER_SETTING_NOR_SECRET = {"ANCHOR_MAIL"}


def test_the_file_fits_the_schema_of_compose() -> None:
    assert complaints("check-jsonschema", "--builtin-schema", "vendor.compose-spec", FILE) == ""


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_no_more_rights_than_it_needs(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "caddy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "unless-stopped"
    assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory", "pids"}
    assert "healthcheck" in service or name in STORES, "the store's is in its image"


def test_the_database_and_redis_are_reached_by_the_store_alone() -> None:
    assert COMPOSE["networks"]["back"] == {"internal": True}
    inside = {name for name, service in SERVICES.items() if "back" in service["networks"]}
    assert inside == {*STORES, "backup", "database", "redis"}
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["caddy"]
    assert SERVICES["database"]["networks"] == SERVICES["redis"]["networks"] == ["back"]


@pytest.mark.parametrize("name", [*STORES, "backup"])
def test_settings_exist_and_secrets_are_files(name: str) -> None:
    environment = SERVICES[name]["environment"].keys() - NEITHER_SETTING_NOR_SECRET
    from_files = {variable for variable in environment if variable.endswith("_FILE")}
    assert {variable.removesuffix("_FILE").lower() for variable in from_files} <= set(SECRETS)
    assert {variable.lower() for variable in environment - from_files} <= set(Settings.model_fields) - set(SECRETS)
    assert not environment & set(BUILD_SETTINGS), "these are in the image"
    assert set(COMPOSE["x-store"]["build"]["args"]) == set(BUILD_SETTINGS) - {"ENVIRONMENT"}
    files = {SERVICES[name]["environment"][variable] for variable in from_files}
    assert files == {f"/run/secrets/{secret}" for secret in SERVICES[name]["secrets"]}


def test_every_secret_and_volume_is_used() -> None:
    for kind in ("secrets", "volumes"):
        used = {use.split(":")[0] for service in SERVICES.values() for use in service.get(kind, [])}
        assert {use for use in used if not use.startswith(".")} == COMPOSE[kind].keys()


def test_caddy_has_the_scripts_of_every_version_that_was_started() -> None:
    """Pages of an earlier build, in open tabs or from processes not replaced yet, still ask for its scripts."""
    for name in STORES:
        *shell, line = SERVICES[name]["command"]
        copying, _, serving = line.partition(" && exec ")
        assert (shell, copying) == (["sh", "-c"], "cp -r .web/build/client/assets /pages/")
        assert json.dumps(serving.split()) in (DEPLOY / "Dockerfile").read_text()
        assert "pages:/pages" in SERVICES[name]["volumes"]
    assert "pages:/pages:ro" in SERVICES["caddy"]["volumes"]
    assert "import store /pages " in (DEPLOY / "compose.Caddyfile").read_text()


def test_caddy_asks_every_process() -> None:
    (line,) = re.findall(r"import store (.*)", (DEPLOY / "compose.Caddyfile").read_text())
    assert line.split()[1:] == [f"{name}:8000" for name in STORES]
    assert "PORT=8000" in (DEPLOY / "Dockerfile").read_text()


def test_the_example_names_every_variable_that_is_asked_for() -> None:
    asked = set(re.findall(r"(?<!\$)\$\{(\w+)", (DEPLOY / "compose.yaml").read_text())) - {"STILLROOM_VERSION"}
    given = re.findall(r"^(\w+)=", (DEPLOY / "compose.env.example").read_text(), re.M)
    assert set(given) == asked
