"""Rate limits on single actions, in addition to the one on all events.

An action and the REST route that does the same share a limit: their uses are counted together.
"""

from dataclasses import dataclass
from typing import Any

from marketplace_app.adapters import rates
from marketplace_app.auth.ip_addresses import UNKNOWN, rate_key
from marketplace_app.config import get_settings


@dataclass(frozen=True)
class Rate:
    """What an `action` declares as its `rate`."""

    setting: str
    """The name of the setting, such as `order_rate`."""
    bucket: str
    """What is counted, such as `orders`. Routes of `api` that do the same use the same name."""
    is_counted_by_handler: bool = False
    """Whether the handler itself calls `count_use`, after it has validated its input; otherwise the guard counts."""


async def count_use(state: Any, rate: Rate, user_id: int | None) -> None:
    """Count one act of this person, or of the address of a guest. Raises TooManyRequests."""
    caller = rate_key(user_id, state.router.session.client_ip or UNKNOWN)
    await rates.count_use(getattr(get_settings(), rate.setting), rate.bucket, caller)
