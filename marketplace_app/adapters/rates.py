"""One limiter for requests and screen events alike (the `limits` library): in memory, or in Redis when there is one."""

import time
from functools import lru_cache

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage, Storage
from limits.aio.strategies import FixedWindowRateLimiter

from marketplace_app.config import get_settings
from marketplace_app.errors import TooManyRequests


@lru_cache(maxsize=1)
def _limiter() -> FixedWindowRateLimiter:
    redis_url = get_settings().redis_url
    storage: Storage = RedisStorage(f"async+{redis_url}", implementation="redispy") if redis_url else MemoryStorage()
    return FixedWindowRateLimiter(storage)


@lru_cache(maxsize=32)
def _rate(text: str) -> RateLimitItem:
    return parse(text)


async def spend(rate: str, *who: str) -> None:
    """Count one act of somebody against a rate such as `60/minute`. Raises TooManyRequests."""
    item = _rate(rate)
    if await _limiter().hit(item, *who):
        return
    resets_at, _left = await _limiter().get_window_stats(item, *who)
    raise TooManyRequests(int(resets_at - time.time()) + 1)
