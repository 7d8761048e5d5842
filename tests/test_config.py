"""Settings: development needs none, production refuses development's."""

import re
import subprocess
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from marketplace_app.config import DEVELOPMENT_SECRET, PRODUCTION_RATES, Settings
from marketplace_app.secret_files import SECRETS

PRODUCTION = {
    "environment": "production",
    "session_secret": "s" * 32,
    "oidc_issuer": "https://id.shop.test",
    "oidc_client_id": "shop",
    "oidc_client_secret": "secret",
    "admin_emails": "owner@shop.test",
    "public_url": "https://shop.test",
    "support_email": "help@shop.test",
}


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PORT", "DATABASE_URL", "ENVIRONMENT", "OIDC_ISSUER"):
        monkeypatch.delenv(name, raising=False)


def test_development_needs_no_settings() -> None:
    settings = Settings()
    assert (settings.public_url, settings.host) == ("http://localhost:8000", "127.0.0.1")
    assert settings.oidc_issuer == "http://localhost:8001"
    assert "127.0.0.1:8000" in settings.hosts


def test_another_port_changes_all_urls() -> None:
    assert Settings(port=9000).origins[0] == "http://localhost:9000"


def test_production_defaults_are_strict() -> None:
    settings = Settings(**PRODUCTION)  # type: ignore[arg-type]
    assert settings.hosts == {"shop.test"}
    assert settings.oidc_trust_unverified_email is False
    assert settings.order_rate == "10/minute"


@pytest.mark.parametrize("name", [name for name in PRODUCTION if name != "environment"])
def test_production_refuses_each_development_default_by_name(name: str) -> None:
    settings = {key: value for key, value in PRODUCTION.items() if key != name}
    with pytest.raises(ValidationError, match=name.upper()):
        Settings(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("session_secret", "short"),
        ("accepted_session_secret", "short"),
        ("accepted_session_secret", DEVELOPMENT_SECRET),
        ("oidc_issuer", "http://localhost:8001"),
        ("oidc_trust_unverified_email", True),
        ("admin_emails", "admin@example.com"),
        ("public_url", "http://shop.test"),
        ("public_url", "https://Shop.test"),
        ("public_url", "https://shop.test/store"),
        ("public_url", "https://shop.test:443"),
    ],
)
def test_production_refuses_unsafe_values(name: str, value: object) -> None:
    with pytest.raises(ValidationError, match=name.upper()):
        Settings(**(PRODUCTION | {name: value}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("public_url", "https://shop.your-domain"),
        ("public_url", "https://shop.example.com"),
        ("public_url", "https://shop.example"),
        ("oidc_issuer", "https://id.your-domain/realm"),
        ("oidc_issuer", "https://example.org"),
        ("admin_emails", "owner@shop.test,me@example.com"),
        ("support_email", "help@example.net"),
        ("mail_from", "shop@your-domain"),
        ("smtp_host", "smtp.example.com"),
        ("smtp_password", "changeme"),
        ("s3_secret", "<secret>"),
        ("session_secret", "change-me-" * 4),
        ("identity_key", "replace-this-with-something-random"),
        ("oidc_client_secret", "your-client-secret"),
        ("oidc_client_id", "change-me"),
        ("database_url", "postgresql+psycopg://store:password@127.0.0.1/store"),
        ("database_url", "postgresql+psycopg://store:s3fQ9x@db.example.com/store"),
        ("redis_url", "redis://:change_me@127.0.0.1:6379/0"),
    ],
)
def test_production_refuses_examples_by_the_setting_that_holds_them(name: str, value: str) -> None:
    with pytest.raises(ValidationError, match=name.upper()) as refused:
        Settings(**(PRODUCTION | {name: value}))  # type: ignore[arg-type]
    assert str(refused.value).count("still holds an example") == 1
    Settings(**(PRODUCTION | {"environment": "development", name: value}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("public_url", "https://counterexample.shop"),
        ("database_url", "postgresql+psycopg://store:kX3vQ9rZt7@127.0.0.1/store"),
        ("database_url", "sqlite:////srv/store/data/store.db"),
        ("support_email", "your.shop@cannabis.shop"),
        ("redis_url", "redis://:kX3vQ9rZt7@127.0.0.1:6379/0"),
    ],
)
def test_a_value_that_only_resembles_an_example_is_accepted(name: str, value: str) -> None:
    assert Settings(**(PRODUCTION | {name: value}))  # type: ignore[arg-type]


def test_the_template_is_refused_until_it_is_filled_in(tmp_path: Path) -> None:
    template = Path(__file__).parent.parent / "deploy" / "production.env.example"
    with pytest.raises(ValidationError) as refused:
        Settings(_env_file=template)  # type: ignore[call-arg]
    for name in (
        "PUBLIC_URL",
        "DATABASE_URL",
        "REDIS_URL",
        "SESSION_SECRET",
        "OIDC_ISSUER",
        "ADMIN_EMAILS",
        "MAIL_FROM",
    ):
        assert name in str(refused.value)


def test_git_ignores_settings_files() -> None:
    root = Path(__file__).parent.parent
    for name in (".env", "production.env", "deploy/production.env", "deploy/staging.env"):
        checked = subprocess.run(["git", "check-ignore", "-q", name], cwd=root)
        assert checked.returncode == 0, name


@pytest.mark.parametrize(("name", "value"), [("port", 0), ("store_timezone", "Mars/Base"), ("access_mode", "closed")])
def test_a_wrong_value_is_refused(name: str, value: object) -> None:
    with pytest.raises((ValidationError, KeyError)):
        Settings(**{name: value})  # type: ignore[arg-type]


def test_secrets_are_not_in_the_repr() -> None:
    assert "s" * 32 not in repr(Settings(**PRODUCTION))  # type: ignore[arg-type]


def test_the_documentation_has_a_row_for_every_setting() -> None:
    table = (Path(__file__).parent.parent / "docs" / "settings.md").read_text()
    rows = set(re.findall(r"^\| `([A-Z0-9_]+)` \|", table, re.M))
    settings = {name.upper() for name in Settings.model_fields}
    assert not settings - rows, f"Give these a row in docs/settings.md: {settings - rows}"
    assert not rows - settings, f"Remove these from docs/settings.md: {rows - settings}"


def test_the_table_of_rates_has_the_defaults_of_the_code() -> None:
    operations = (Path(__file__).parent.parent / "docs" / "product" / "operations.md").read_text()
    section = operations.partition("### RULE rates")[2].partition("###")[0]
    listed = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]+) \|", section, re.M))
    expected = {name.upper(): rate for name, rate in PRODUCTION_RATES.items()}
    assert listed == expected, "PRODUCTION_RATES in config.py and RULE rates in docs/product/operations.md differ"


def test_every_rate_has_a_default_for_production_and_is_named_where_operators_are_told_to_raise_it() -> None:
    rates = {name for name in Settings.model_fields if name.endswith("_rate")}
    assert rates == PRODUCTION_RATES.keys(), "Give each rate a line in PRODUCTION_RATES of config.py"
    told = (Path(__file__).parent.parent / "docs" / "operations.md").read_text()
    section = told.partition("## When rate limits are hit often")[2].partition("## ")[0]
    unnamed = {name.upper() for name in rates if f"`{name.upper()}`" not in section}
    assert not unnamed, f"Name these in docs/operations.md, 'When rate limits are hit often': {unnamed}"


def test_a_secret_may_come_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret"
    secret = f"postgresql+psycopg://{'f' * 40}"
    file.write_text(f"{secret}\n")
    monkeypatch.delenv("SESSION_SECRET", raising=False)
    for name in SECRETS:
        monkeypatch.delenv(name.upper(), raising=False)
        monkeypatch.setenv(f"{name.upper()}_FILE", str(file))
    settings = Settings()
    read = {name: getattr(settings, name) for name in SECRETS}
    values = {each.get_secret_value() if isinstance(each, SecretStr) else each for each in read.values()}
    assert values == {secret}
    secrets = {name for name, field in Settings.model_fields.items() if field.annotation is SecretStr}
    assert secrets <= set(SECRETS)


def test_a_secret_that_cannot_be_read_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SESSION_SECRET", raising=False)
    monkeypatch.setenv("SESSION_SECRET_FILE", str(tmp_path / "none"))
    with pytest.raises(ValidationError, match="SESSION_SECRET_FILE: .*/none cannot be read: No such file"):
        Settings()
    (tmp_path / "none").write_text("\n")
    with pytest.raises(ValidationError, match="SESSION_SECRET_FILE: .*/none is empty"):
        Settings()
    (tmp_path / "none").write_bytes(b"\xff\xfe")
    with pytest.raises(ValidationError, match="it is not text"):
        Settings()
    monkeypatch.setenv("SESSION_SECRET", "s" * 40)
    with pytest.raises(ValidationError, match="both set"):
        Settings()


def test_a_secret_file_may_be_named_in_the_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("secret").write_text("f" * 40)
    Path(".env").write_text("SMTP_PASSWORD_FILE=secret")
    assert Settings().smtp_password.get_secret_value() == "f" * 40
    monkeypatch.setenv("SMTP_PASSWORD", "other")
    with pytest.raises(ValidationError, match="both set"):
        Settings()


def test_a_secret_in_the_env_file_and_a_secret_file_are_not_both_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("secret").write_text("f" * 40)
    Path(".env").write_text("SMTP_PASSWORD=other")
    monkeypatch.setenv("SMTP_PASSWORD_FILE", "secret")
    with pytest.raises(ValidationError, match="both set"):
        Settings()


DIRECT = "postgresql+psycopg://store:kX3vQ9rZt7@127.0.0.1:5432/store"
POOLER = DIRECT.replace("5432", "6432")


def test_without_a_direct_url_there_is_no_pooler() -> None:
    assert not Settings(database_url=POOLER).has_pooler
    assert Settings(database_url=POOLER).database_direct_url == POOLER
    assert Settings(database_url=POOLER, database_direct_url=DIRECT).has_pooler


@pytest.mark.parametrize(
    ("url", "direct"),
    [("sqlite:///store.db", DIRECT), (POOLER, "sqlite:///store.db"), (POOLER, DIRECT.removeprefix("postgresql+"))],
)
def test_a_pooler_needs_postgresql_on_both_urls(url: str, direct: str) -> None:
    with pytest.raises(ValidationError, match="DATABASE_DIRECT_URL and DATABASE_URL must both begin with"):
        Settings(database_url=url, database_direct_url=direct)


def test_an_example_in_the_direct_url_is_refused_once_and_under_its_name() -> None:
    example = DIRECT.replace("kX3vQ9rZt7", "change-me")
    with pytest.raises(ValidationError) as refused:
        Settings(**(PRODUCTION | {"database_url": POOLER, "database_direct_url": example}))  # type: ignore[arg-type]
    assert "DATABASE_DIRECT_URL (still holds an example)" in str(refused.value)
    assert str(refused.value).count("still holds an example") == 1
    with pytest.raises(ValidationError) as refused:
        Settings(**(PRODUCTION | {"database_url": example}))  # type: ignore[arg-type]
    assert "DATABASE_DIRECT_URL" not in str(refused.value)
