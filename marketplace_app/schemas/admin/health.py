"""The health of each part of the store, in words."""

from typing import Literal

from pydantic import Field

from marketplace_app.schemas.base import Answer, View

StorePart = Literal[
    "database", "migrations", "workers", "mail", "timetable", "audit", "backup", "redis", "signIn", "disk"
]


class CheckView(View):
    part: StorePart
    label: str = Field(examples=["Mail"])
    is_ok: bool
    says: str = Field(examples=["The oldest unsent message has waited for 2 hours."])
    advice: str = Field(examples=["Check the mail server and SMTP_HOST."])
    """What to do; empty if there is nothing to do."""


class StoreHealthAnswer(Answer):
    is_ok: bool
    checks: list[CheckView]
