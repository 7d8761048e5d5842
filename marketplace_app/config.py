"""Settings: what differs between deployments, read from the environment. `docs/settings.md` lists this class."""

import os
import re
from contextlib import suppress
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import Field, HttpUrl, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from marketplace_app import secret_files
from marketplace_app.example_values import is_example

DEVELOPMENT_SECRET = "development-only-session-secret"  # noqa: S105 - refused in production
DEVELOPMENT_PHONE = "(503) 555-0142"
DEVELOPMENT_CLIENT = "marketplace-development"
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_HTTPS_ORIGIN = re.compile(r"https://[a-z0-9._:\[\]-]+(?<!:443)")
"""As browsers write an origin. If `PUBLIC_URL` were written in another way, every write and every socket would seem to
come from another site."""


class Environment(StrEnum):
    DEVELOPMENT = "development"
    PRODUCTION = "production"


class AccessMode(StrEnum):
    OPEN = "open"
    INVITE_ONLY = "invite_only"


class LogFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


class SmtpSecurity(StrEnum):
    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


def _is_postgresql(url: str) -> bool:
    return url.startswith("postgresql+psycopg://")


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True)

    environment: Environment = Field(Environment.DEVELOPMENT, description="`development` or `production`")
    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = Field(8000, ge=1, le=65535, description="port to listen on")
    public_url: str = Field("", description="where browsers reach the store; default `http://localhost:PORT`")
    database_url: str = Field("sqlite:///data/store.db", description="SQLite file or `postgresql+psycopg://...`")
    database_direct_url: str = Field(
        "", description="the same database past its pooler, if `DATABASE_URL` leads to one such as PgBouncer"
    )
    redis_url: str | None = Field(None, description="needed only with several worker processes")
    session_secret: SecretStr = Field(SecretStr(DEVELOPMENT_SECRET), description="signs cookies of up to thirty days")
    accepted_session_secret: SecretStr = Field(
        SecretStr(""),
        description="a second secret whose signatures are accepted too, while `SESSION_SECRET` is changed",
    )
    identity_key: SecretStr = Field(
        SecretStr(""),
        description="key of the hashes kept of erased accounts; default `SESSION_SECRET`: set it before changing that",
    )
    oidc_issuer: str = Field("", description="identity provider; default: the development one on loopback")
    oidc_client_id: str = Field(DEVELOPMENT_CLIENT, description="this store's client ID at the identity provider")
    oidc_client_secret: SecretStr = Field(SecretStr("development"), description="its client secret")
    oidc_trust_unverified_email: bool | None = Field(
        None, description="trust a provider that sends no `email_verified`; default: in development only"
    )
    admin_emails: Annotated[tuple[str, ...], NoDecode] = Field(
        ("admin@example.com", "owner@example.com"), description="comma-separated verified email addresses of owners"
    )
    access_mode: AccessMode = Field(AccessMode.OPEN, description="`open` or `invite_only`")
    store_name: str = Field("Stillroom", description="the shop's name")
    store_timezone: str = Field("America/Los_Angeles", description="the shop's time zone")
    support_email: str = Field("support@example.com", description="shown to people who cannot get in")
    support_phone: str = Field(
        "", description="phone number for urgent requests, shown in the FAQ; a fictitious one in development"
    )
    under_age_url: str = Field("https://www.google.com/", description="where 'I am under 21' leads to")
    original_host: str = Field(
        "", description="host of the original site, for the 'auth error' screen of a copy; else empty"
    )
    preview_domain: str = Field("", description="domain of previews, whose pages show the browser privacy notice")
    smtp_host: str = Field("", description="mail server; without one, mail is written to files in `MAIL_FOLDER`")
    smtp_port: int = Field(587, ge=1, le=65535, description="port of the mail server")
    smtp_security: SmtpSecurity = Field(SmtpSecurity.STARTTLS, description="`starttls`, `tls` or `none`")
    smtp_user: str = Field("", description="user name; no sign-in when empty")
    smtp_password: SecretStr = Field(SecretStr(""), description="password or API key of the mail server's user")
    mail_from: str = Field("", description="sender's address; default `SUPPORT_EMAIL`")
    mail_folder: str = Field("data/mail", description="where mail is written when there is no mail server")
    run_sheets: str = Field("data/run-sheets", description="folder for the PDF files of run sheets")
    uploads: str = Field("data/uploads", description="folder for pictures and lab reports, unless a bucket is set")
    s3_bucket: str = Field("", description="bucket of an S3-compatible service for uploads, in place of the folder")
    s3_endpoint: str = Field("", description="URL of that service; Amazon's when empty")
    s3_region: str = Field("us-east-1", description="region of the bucket")
    s3_key: str = Field("", description="access key")
    s3_secret: SecretStr = Field(SecretStr(""), description="secret of the access key")
    backup_recipient: str = Field(
        "", description="public key of age (`age1...`) that backups are encrypted for; not encrypted when empty"
    )
    trusted_proxies: int = Field(0, ge=0, description="number of reverse proxies in front of the store")
    preview_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="comma-separated sites that may show the store in a frame"
    )
    workers: int = Field(1, ge=1, le=32, description="worker processes; more than one needs Redis and PostgreSQL")
    log_format: LogFormat = Field(LogFormat.TEXT, description="`text`, or `json`: an object a line, for log collectors")
    sql_comments: bool = Field(False, description="write the request's id into each statement; PostgreSQL only")
    metrics_port: int = Field(0, ge=0, le=65_000, description="port for Prometheus; off when 0")
    metrics_host: str = Field("127.0.0.1", description="address of that port")
    traces_endpoint: str = Field("", description="URL to which traces are sent by OTLP over HTTP; off when empty")
    traces_from_proxy: bool = Field(False, description="continue the proxy's traces, by its header `traceparent`")
    order_rate: str = Field("", description="limit on placed orders and quotes per person")
    read_rate: str = Field("", description="limit on API reads per IP address")
    write_rate: str = Field("", description="limit on API writes per person or IP address")
    sign_in_rate: str = Field(
        "", description="limit on sign-ins, age checks, invitations and referral links per IP address"
    )
    event_rate: str = Field("", description="limit on screen events per IP address")
    ticket_rate: str = Field("", description="limit on new support tickets per person, or per IP address for guests")

    @field_validator("admin_emails", "preview_origins", mode="before")
    @classmethod
    def _comma_list(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip().lower() for part in value.split(",") if part.strip())
        return value

    @field_validator("store_timezone")
    @classmethod
    def _known_timezone(cls, value: str) -> str:
        ZoneInfo(value)
        return value

    @field_validator("traces_endpoint")
    @classmethod
    def _collector_url(cls, value: str) -> str:
        if not value:
            return value
        with suppress(ValidationError):
            url = HttpUrl(value)
            if url.path not in (None, "/") and not (url.username or url.password or url.query or url.fragment):
                return str(url)
        raise ValueError("Please give a URL such as http://127.0.0.1:4318/v1/traces, without a password")

    @model_validator(mode="before")
    @classmethod
    def _empty_means_default(cls, values: dict[str, object]) -> dict[str, object]:
        return {key: value for key, value in values.items() if value != ""}

    @model_validator(mode="before")
    @classmethod
    def _read_secret_files(cls, values: dict[str, object]) -> dict[str, object]:
        return values | secret_files.read(values)

    @model_validator(mode="after")
    def _fill_in(self) -> "Settings":
        """Sets the defaults that depend on other settings."""
        set_ = object.__setattr__
        if not self.public_url:
            set_(self, "public_url", f"http://localhost:{self.port}")
        set_(self, "public_url", self.public_url.rstrip("/"))
        if not self.database_direct_url:
            set_(self, "database_direct_url", self.database_url)
        if not self.mail_from:
            set_(self, "mail_from", self.support_email)
        if not self.identity_key.get_secret_value():
            set_(self, "identity_key", self.session_secret)
        if not self.oidc_issuer and self.is_development:
            set_(self, "oidc_issuer", f"http://localhost:{self.port + 1}")
        if self.oidc_trust_unverified_email is None:
            set_(self, "oidc_trust_unverified_email", self.is_development)
        if not self.support_phone and self.is_development:
            set_(self, "support_phone", DEVELOPMENT_PHONE)
        for name, rate in PRODUCTION_RATES.items():
            if not getattr(self, name):
                set_(self, name, DEVELOPMENT_RATE if self.is_development else rate)
        return self

    @model_validator(mode="after")
    def _require_consistent(self) -> "Settings":
        if not self.is_development:
            self._refuse_development_defaults()
        if not self.database_url.startswith("sqlite:///") and not _is_postgresql(self.database_url):
            raise ValueError("DATABASE_URL must begin with sqlite:/// or postgresql+psycopg://")
        both_postgresql = _is_postgresql(self.database_url) and _is_postgresql(self.database_direct_url)
        if self.has_pooler and not both_postgresql:
            raise ValueError("DATABASE_DIRECT_URL and DATABASE_URL must both begin with postgresql+psycopg://")
        if self.workers > 1 and (not self.redis_url or self.is_sqlite):
            raise ValueError("WORKERS above 1 needs REDIS_URL and a PostgreSQL DATABASE_URL")
        if self.traces_from_proxy and not self.trusted_proxies:
            raise ValueError("TRACES_FROM_PROXY needs TRUSTED_PROXIES")
        return self

    def _refuse_development_defaults(self) -> None:
        secret = self.session_secret.get_secret_value()
        accepted = self.accepted_session_secret.get_secret_value()
        issuer = urlsplit(self.oidc_issuer)
        refused = {
            "SESSION_SECRET (at least 32 characters)": secret == DEVELOPMENT_SECRET or len(secret) < 32,
            "ACCEPTED_SESSION_SECRET (at least 32 characters, or none)": (
                accepted == DEVELOPMENT_SECRET or 0 < len(accepted) < 32
            ),
            "OIDC_ISSUER (an https URL)": issuer.scheme != "https",
            "OIDC_CLIENT_ID": self.oidc_client_id == DEVELOPMENT_CLIENT,
            "OIDC_CLIENT_SECRET": self.oidc_client_secret.get_secret_value() == "development",
            "OIDC_TRUST_UNVERIFIED_EMAIL (must stay off)": self.oidc_trust_unverified_email is True,
            "ADMIN_EMAILS": not self.admin_emails,
            "PUBLIC_URL (an https URL in lower case, without a path)": not _HTTPS_ORIGIN.fullmatch(self.public_url),
        }
        wrong = [name for name, is_refused in refused.items() if is_refused]
        named = {name.split(" ")[0] for name in wrong}
        derived = {"identity_key", "mail_from", "database_direct_url"} - self.model_fields_set
        for name in type(self).model_fields:
            if name not in derived and name.upper() not in named and is_example(getattr(self, name)):
                wrong.append(f"{name.upper()} (still holds an example)")
        if wrong:
            raise ValueError("production needs these settings: " + ", ".join(wrong))

    @property
    def is_development(self) -> bool:
        return self.environment is Environment.DEVELOPMENT

    @property
    def is_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

    @property
    def has_pooler(self) -> bool:
        """Whether `DATABASE_URL` leads to a pooler, which gives a connection to each transaction."""
        return self.database_direct_url != self.database_url

    @property
    def is_https(self) -> bool:
        return self.public_url.startswith("https://")

    @property
    def timezone(self) -> ZoneInfo:
        return ZoneInfo(self.store_timezone)

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins that browsers may call from: the public one and, in development, loopback's other names."""
        if not self.is_development:
            return (self.public_url,)
        loopback = [f"http://{name}:{self.port}" for name in LOOPBACK_NAMES]
        return tuple(dict.fromkeys([self.public_url, *loopback]))

    @property
    def hosts(self) -> frozenset[str]:
        return frozenset(urlsplit(origin).netloc.lower() for origin in self.origins)


DEVELOPMENT_RATE = "100000/minute"
PRODUCTION_RATES = {
    "order_rate": "10/minute",
    "read_rate": "300/minute",
    "write_rate": "60/minute",
    "sign_in_rate": "20/minute",
    "event_rate": "1200/minute",
    "ticket_rate": "5/hour",
}


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    return Settings()


def opened_pages_file() -> Path | None:
    """Where `make dev` records which pages were opened. None everywhere else: in a store, a build or a test."""
    path = os.environ.get("OPENED_PAGES")
    return Path(path) if path else None
