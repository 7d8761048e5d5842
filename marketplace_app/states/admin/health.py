"""`/admin/health`: whether each part of the store works."""

from dataclasses import dataclass

import reflex as rx
from anyio import to_thread

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.display.paging import counted
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.health import CheckView
from marketplace_app.services.admin import health, infrastructure
from marketplace_app.states.events.base import Updates, action, read
from marketplace_app.states.events.failures import ShowPageFailed


@dataclass(frozen=True)
class CheckRow:
    label: str
    is_ok: bool
    says: str
    advice: str


class AdminHealthState(rx.State):
    is_loading: bool = True
    is_checking: bool = False
    checks: list[CheckRow] = []
    summary: str = ""
    """`Everything is working.` or `2 parts need attention.`"""
    checked_at: str = ""

    @action(who=Permission.SEE_HEALTH, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load. Not repeated with each change in the store, since it asks the identity provider each time."""
        await self._refresh()

    @action(who=Permission.SEE_HEALTH)
    async def check_again(self) -> Updates:
        self.is_checking = True
        yield None
        try:
            await self._refresh()
        finally:
            self.is_checking = False

    async def _refresh(self) -> None:
        checks = await read(self, health.check_database)
        checks += await to_thread.run_sync(infrastructure.check_infrastructure)
        self.checks = [_row(check) for check in sorted(checks, key=lambda check: check.is_ok)]
        wrong = sum(not check.is_ok for check in checks)
        verb = "needs" if wrong == 1 else "need"
        self.summary = f"{counted(wrong, 'part')} {verb} attention." if wrong else "Everything is working."
        self.checked_at = clock.show_time(clock.now(), get_settings().timezone)
        self.is_loading = False


def _row(check: CheckView) -> CheckRow:
    return CheckRow(check.label, check.is_ok, check.says, check.advice)
