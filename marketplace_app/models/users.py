"""Users and their sign-in sessions."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.limits import SESSION_IDLE_LIFETIME
from marketplace_app.models.base import Folded, TextEnum, UtcDateTime, one_of
from marketplace_app.models.roles import PERMISSIONS, Permission, Role

ERASED = "erased"
"""The issuer of an account whose owner has erased it."""


class User(SQLModel, table=True):
    """Identified by `(issuer, subject)`. `email` may be edited; `verified_email` comes from the provider."""

    __tablename__ = "users"
    __table_args__ = (
        UniqueConstraint("issuer", "subject"),
        UniqueConstraint("referral_code"),
        one_of("role", Role),
        one_of("granted_role", Role),
        CheckConstraint("referred_by_id <> id", name="not_own_referrer"),
        CheckConstraint("banned_at IS NULL OR ban_reason <> ''", name="ban_has_reason"),
        Index(None, "email"),
        Index("ix_users_search_text", "search_text", "id"),
        Index("ix_users_created_at", "created_at", "id"),
    )

    id: int = Field(default=None, primary_key=True)
    issuer: str
    subject: str
    verified_email: str
    email: str
    first_name: str = ""
    last_name: str = ""
    phone: str = Field(default="", sa_column_kwargs={"server_default": ""})
    search_text: str = Field(default="", sa_type=Folded)
    """Name and email, folded: what staff search and sort users by. `accounts.update_search_text` writes it."""
    role: Role = Field(default=Role.CUSTOMER, sa_type=TextEnum(Role))
    """The role that applies: owner by `ADMIN_EMAILS`, else the granted one."""
    granted_role: Role = Field(default=Role.CUSTOMER, sa_type=TextEnum(Role))
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    age_verified_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    invited_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When they accepted an invitation."""
    banned_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    ban_reason: str = ""
    deleted_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    referral_code: str | None = None
    referred_by_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    first_purchase_discount_used: bool = False
    referral_bonus_used: bool = False

    @property
    def is_staff(self) -> bool:
        """Whether they may see the admin pages. Drivers may not."""
        return self.may(Permission.SEE_DASHBOARD)

    def may(self, permission: Permission) -> bool:
        return permission in PERMISSIONS[self.role]

    @property
    def is_banned(self) -> bool:
        return self.banned_at is not None

    @property
    def is_active(self) -> bool:
        return self.banned_at is None and self.deleted_at is None

    @property
    def is_erased(self) -> bool:
        """Nothing personal may be stored of them. An account that staff deleted is not erased."""
        return self.issuer == ERASED

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()


class SignInSession(SQLModel, table=True):
    """One signed-in browser. Only the hash of its cookie is stored."""

    __tablename__ = "sessions"

    token_hash: str = Field(primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE", index=True)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    last_seen_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)

    def is_live(self, at: datetime) -> bool:
        return is_live(at, self.last_seen_at, self.expires_at)


def is_live(at: datetime, last_seen_at: datetime, expires_at: datetime) -> bool:
    """Whether a session with these times is valid."""
    return at < expires_at and at < last_seen_at + SESSION_IDLE_LIFETIME


class ErasedIdentity(SQLModel, table=True):
    """What remains of an erased account: a keyed hash of the identity, and which one-time discounts were used."""

    __tablename__ = "erased_identities"

    identity_hash: str = Field(primary_key=True)
    first_purchase_discount_used: bool
    referral_bonus_used: bool
    ban_reason: str = ""
    """Why they may not sign up again; empty if they may."""
    erased_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
