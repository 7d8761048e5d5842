"""The manifests fit Kubernetes' schemas, one another, the image and the store."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from marketplace_app.api import health
from marketplace_app.config import Settings
from marketplace_app.jobs.build_pages import BUILD_SETTINGS
from marketplace_app.jobs.commands import make_parser
from marketplace_app.secret_files import SECRETS
from tests.databases import ROOT
from tests.deploy.programs import DEPLOY

FOLDER = DEPLOY / "kubernetes"
VERSION = "1.37"
KUSTOMIZATIONS = {
    name: yaml.safe_load((FOLDER / name / "kustomization.yaml").read_text()) for name in ("base", "example")
}
JOB_SETTINGS = {"BACKUP_TARGET", "ANCHOR_MAIL"}
"""In the settings file, but for the arguments of the jobs: the store does not read them."""


def manifests(*patterns: str) -> list[dict[str, Any]]:
    files = sorted(file for pattern in patterns for file in FOLDER.glob(pattern) if file.name != "kustomization.yaml")
    return [manifest for file in files for manifest in yaml.safe_load_all(file.read_text())]


MANIFESTS = manifests("*/*.yaml")


def full_name(manifest: dict[str, Any]) -> str:
    return f"{manifest['kind']}/{manifest['metadata']['name']}"


def find(kind: str, name: str) -> dict[str, Any]:
    (found,) = [each for each in MANIFESTS if full_name(each) == f"{kind}/{name}"]
    return found


def pod_template(manifest: dict[str, Any]) -> dict[str, Any] | None:
    """None for what runs no pods."""
    spec = manifest.get("spec", {})
    found: dict[str, Any] | None = spec.get("jobTemplate", {}).get("spec", spec).get("template")
    return found


TEMPLATES = {full_name(each): pod for each in MANIFESTS if (pod := pod_template(each))}
(STORE,) = find("Deployment", "store")["spec"]["template"]["spec"]["containers"]


@pytest.mark.parametrize("manifest", MANIFESTS, ids=full_name)
def test_a_manifest_fits_the_schema(manifest: dict[str, Any]) -> None:
    kubernetes_validate.validate(manifest, VERSION, strict=True)


@pytest.mark.parametrize("name", KUSTOMIZATIONS)
def test_a_kustomization_names_files_that_are_there_and_all_of_them(name: str) -> None:
    kustomization = KUSTOMIZATIONS[name]
    settings = [file for each in kustomization["configMapGenerator"] for file in each["envs"]]
    listed = {*kustomization["resources"], *settings}
    assert all((FOLDER / name / each).exists() for each in listed)
    there = {file.name for file in (FOLDER / name).iterdir()} - {"kustomization.yaml"}
    assert there == {each for each in listed if each != "../base"}


def test_patches_have_a_target() -> None:
    for patch in KUSTOMIZATIONS["example"]["patches"]:
        manifest = find(patch["target"]["kind"], patch["target"]["name"])
        for operation in yaml.safe_load(patch["patch"]):
            value: Any = manifest
            for part in operation["path"].strip("/").split("/"):
                value = value[int(part) if part.isdigit() else part]


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_kubectl_builds_the_example(tmp_path: Path) -> None:
    command = ["kubectl", "kustomize", str(FOLDER / "example")]
    built = subprocess.run(command, env={"PATH": f"{Path(str(shutil.which('kubectl'))).parent}", "HOME": str(tmp_path)},
                           capture_output=True, text=True, check=False)  # fmt: skip
    assert built.returncode == 0, built.stderr
    whole = list(yaml.safe_load_all(built.stdout))
    assert len(whole) == len(MANIFESTS) + 1, "every manifest, and the ConfigMap of the settings"
    for manifest in whole:
        kubernetes_validate.validate(manifest, VERSION, strict=True)


def test_selectors_find_the_pods_they_are_meant_for() -> None:
    labels = TEMPLATES["Deployment/store"]["metadata"]["labels"]
    deployment = find("Deployment", "store")["spec"]
    spread = deployment["template"]["spec"]["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"]
    service = find("Service", "store")["spec"]["selector"]
    selectors_of_the_store = [
        deployment["selector"]["matchLabels"],
        spread,
        service,
        find("PodDisruptionBudget", "store")["spec"]["selector"]["matchLabels"],
        find("NetworkPolicy", "to-store")["spec"]["podSelector"]["matchLabels"],
        find("NetworkPolicy", "to-collector")["spec"]["podSelector"]["matchLabels"],
    ]
    for selector in selectors_of_the_store:
        assert selector.items() <= labels.items()
    assert find("HorizontalPodAutoscaler", "store")["spec"]["scaleTargetRef"]["name"] == "store"
    for policy in ("to-data", "to-outside"):
        selector = find("NetworkPolicy", policy)["spec"]["podSelector"]["matchLabels"]
        assert all(selector.items() <= pod["metadata"]["labels"].items() for pod in TEMPLATES.values())
    backups = TEMPLATES["CronJob/backup"]["metadata"]["labels"]
    assert not service.items() <= backups.items(), "the Service must not send requests to a backup"


def test_traffic_that_no_policy_allows_is_denied() -> None:
    assert find("NetworkPolicy", "nothing")["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


@pytest.mark.parametrize("name", TEMPLATES)
def test_pods_keep_to_the_restricted_standard(name: str) -> None:
    spec = TEMPLATES[name]["spec"]
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert f"--uid {spec['securityContext']['runAsUser']} " in (DEPLOY / "Dockerfile").read_text()
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert (spec["automountServiceAccountToken"], spec["enableServiceLinks"]) == (False, False)
    for container in (*spec["containers"], *spec.get("initContainers", [])):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"requests", "limits"} <= container["resources"].keys()
        assert {mount["mountPath"] for mount in container["volumeMounts"]} >= {"/tmp", "/data"}


def test_ports_and_probes_are_those_of_the_store() -> None:
    ports = {port["name"]: port["containerPort"] for port in STORE["ports"]}
    assert f" PORT={ports['http']} " in (DEPLOY / "Dockerfile").read_text()
    assert str(ports["metrics"]) == settings()["METRICS_PORT"]
    probes = [STORE[f"{when}Probe"]["httpGet"] for when in ("startup", "readiness", "liveness")]
    assert [probe["path"] for probe in probes] == ["/healthz", "/readyz", "/healthz"]
    assert {probe["path"] for probe in probes} == {getattr(route, "path", "") for route in health.router.routes}
    assert {probe["port"] for probe in probes} == {"http"}
    (port,) = find("Service", "store")["spec"]["ports"]
    (path,) = find("Ingress", "store")["spec"]["rules"][0]["http"]["paths"]
    assert (port["targetPort"], path["backend"]["service"]["port"]["name"]) == ("http", port["name"])


def test_a_page_finds_its_scripts_while_pods_of_two_versions_run() -> None:
    annotations = find("Ingress", "store")["metadata"]["annotations"]
    prefix = "nginx.ingress.kubernetes.io/"
    assert (annotations[prefix + "affinity"], annotations[prefix + "affinity-mode"]) == ("cookie", "persistent")
    assert annotations[prefix + "session-cookie-change-on-failure"] == "true"


def test_it_scales_by_a_metric_that_the_store_has() -> None:
    metrics = find("HorizontalPodAutoscaler", "store")["spec"]["metrics"]
    (name,) = [metric["pods"]["metric"]["name"] for metric in metrics if metric["type"] == "Pods"]
    code = "".join(file.read_text() for file in (ROOT / "marketplace_app").rglob("*.py"))
    assert f'"{name}"' in code


OPTIONAL_SECRETS = {"accepted_session_secret", "database_direct_url"}
"""Set only while a secret is rotated, or with a pooler. The store does not start if a setting names a file that is
missing or empty, so the deployment has no settings for these."""


def settings() -> dict[str, str]:
    files = (FOLDER / "base/settings.properties", FOLDER / "example/settings.properties")
    return {name: value for file in files for name, value in re.findall(r"^(\w+)=(.*)$", file.read_text(), re.M)}


def test_settings_exist_and_secrets_are_files() -> None:
    files = {name for name in settings() if name.endswith("_FILE")}
    assert {name.removesuffix("_FILE").lower() for name in files} == set(SECRETS) - OPTIONAL_SECRETS
    (place,) = {settings()[name].rpartition("/")[0] for name in files}
    assert all(place in str(pod) for pod in TEMPLATES.values())
    others = settings().keys() - files - JOB_SETTINGS
    assert {name.lower() for name in others} <= set(Settings.model_fields) - set(SECRETS)
    assert not others & set(BUILD_SETTINGS), "these are built into the image: setting them has no effect"


@pytest.mark.parametrize("name", ["backup", "anchor"])
def test_jobs_run_commands_that_exist(name: str) -> None:
    (container,) = TEMPLATES[f"CronJob/{name}"]["spec"]["containers"]
    assert container["command"] == ["python", "-m", "marketplace_app"]
    values = {f"$({each})": settings()[each] for each in JOB_SETTINGS}
    make_parser().parse_args([values.get(argument, argument) for argument in container["args"]])
