"""One rate limiter for requests and events (the `limits` library): in memory, or in Redis if it is used.

While Redis is down, each process counts on its own: laxer limits are better than an outage.
"""

import logging
import time
from dataclasses import dataclass
from functools import lru_cache

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from redis import Redis
from redis.exceptions import RedisError

from marketplace_app.adapters.metrics import LIMITS_HIT
from marketplace_app.config import get_settings
from marketplace_app.errors import TooManyRequests

REDIS_TIMEOUT_SECONDS = 1.0
"""How long Redis may take to answer; no request waits longer for a count."""
_TIMEOUTS = {"socket_timeout": REDIS_TIMEOUT_SECONDS, "socket_connect_timeout": REDIS_TIMEOUT_SECONDS}
RETRY_SECONDS = 5.0
"""How long to wait, after Redis has failed, before it is tried again."""
logger = logging.getLogger(__name__)


@dataclass
class _Limiter:
    local: FixedWindowRateLimiter
    shared: FixedWindowRateLimiter | None = None
    is_redis_down: bool = False
    retry_at: float = 0.0

    async def hit(self, item: RateLimitItem, key: tuple[str, str]) -> float | None:
        """None if the rate allows one more; otherwise when its window ends, in seconds since the epoch."""
        if self.shared is not None and (not self.is_redis_down or time.monotonic() >= self.retry_at):
            if self.is_redis_down:  # one request tries; the others do not wait for it
                self.retry_at = time.monotonic() + RETRY_SECONDS
            try:
                ends_at = await _hit(self.shared, item, key)
            except (RedisError, OSError, TimeoutError) as error:
                if not self.is_redis_down:
                    logger.warning("limits are counted in this process until Redis is back: %s", type(error).__name__)
                self.is_redis_down, self.retry_at = True, time.monotonic() + RETRY_SECONDS
            else:
                if self.is_redis_down:
                    logger.warning("limits are counted in Redis again")
                self.is_redis_down = False
                return ends_at
        return await _hit(self.local, item, key)


async def _hit(limiter: FixedWindowRateLimiter, item: RateLimitItem, key: tuple[str, str]) -> float | None:
    """As `_Limiter.hit`, with one of its two limiters."""
    if await limiter.hit(item, *key):
        return None
    ends_at, _left = await limiter.get_window_stats(item, *key)
    if ends_at - time.time() <= item.get_expiry() + 1:
        return ends_at
    # The clock was set back since: such a window would last until the clock reaches its end again.
    await limiter.clear(item, *key)
    return None if await limiter.hit(item, *key) else time.time() + item.get_expiry()


@lru_cache(maxsize=1)
def _limiter() -> _Limiter:
    local = FixedWindowRateLimiter(MemoryStorage())
    redis_url = get_settings().redis_url
    if not redis_url:
        return _Limiter(local)
    shared = RedisStorage(f"async+{redis_url}", implementation="redispy", **_TIMEOUTS)  # type: ignore[arg-type]
    return _Limiter(local, FixedWindowRateLimiter(shared))


@lru_cache(maxsize=32)
def _rate(text: str) -> RateLimitItem:
    return parse(text)


async def count_use(rate: str, bucket: str, caller: str) -> None:
    """Count one more use of the bucket by this caller. Raises TooManyRequests beyond a rate such as `60/minute`."""
    item = _rate(rate)
    ends_at = await _limiter().hit(item, (bucket, caller))
    if ends_at is not None:
        LIMITS_HIT.labels(bucket).inc()
        # At most the length of a window, even if the clock was set back a little.
        raise TooManyRequests(min(int(ends_at - time.time()) + 1, item.get_expiry()))


def is_redis_up() -> bool:
    """Whether Redis answers now; also true if it is not used."""
    redis_url = get_settings().redis_url
    if not redis_url:
        return True
    try:
        with Redis.from_url(redis_url, **_TIMEOUTS) as redis:
            return bool(redis.ping())
    except (RedisError, OSError):
        return False
