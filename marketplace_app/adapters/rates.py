"""One limiter for requests and screen events alike (the `limits` library): in memory, or in Redis when there is one.

While Redis is away each process counts for itself: a shop that is looser for a minute is better than a closed one.
"""

import logging
import time
from dataclasses import dataclass, field
from functools import lru_cache

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from redis import Redis
from redis.exceptions import RedisError

from marketplace_app.config import get_settings
from marketplace_app.errors import TooManyRequests

PATIENCE_SECONDS = 1.0
"""How long Redis may take to answer; no request waits longer for a count."""
AWAY_SECONDS = 5.0
"""How long Redis is not asked again after it has failed."""
logger = logging.getLogger(__name__)


@dataclass
class _Limiter:
    own: FixedWindowRateLimiter
    shared: FixedWindowRateLimiter | None = None
    is_away: bool = False
    ask_again_at: float = field(default=0.0)

    async def spend(self, item: RateLimitItem, who: tuple[str, ...]) -> float | None:
        """None, or when the window of a rate that is used up ends: seconds since the epoch."""
        if self.shared is not None and (not self.is_away or time.monotonic() >= self.ask_again_at):
            if self.is_away:  # one request tries; the others do not wait for it
                self.ask_again_at = time.monotonic() + AWAY_SECONDS
            try:
                ends_at = await _spend(self.shared, item, who)
            except (RedisError, OSError, TimeoutError) as error:
                if not self.is_away:
                    logger.warning("limits are counted in this process until Redis is back: %s", type(error).__name__)
                self.is_away, self.ask_again_at = True, time.monotonic() + AWAY_SECONDS
            else:
                if self.is_away:
                    logger.warning("limits are counted in Redis again")
                self.is_away = False
                return ends_at
        return await _spend(self.own, item, who)


async def _spend(limiter: FixedWindowRateLimiter, item: RateLimitItem, who: tuple[str, ...]) -> float | None:
    if await limiter.hit(item, *who):
        return None
    ends_at, _left = await limiter.get_window_stats(item, *who)
    if ends_at - time.time() <= item.get_expiry() + 1:
        return ends_at
    # Counted before the clock was set back: such a window would last until the clock is there again.
    await limiter.clear(item, *who)
    return None if await limiter.hit(item, *who) else time.time() + item.get_expiry()


@lru_cache(maxsize=1)
def _limiter() -> _Limiter:
    own = FixedWindowRateLimiter(MemoryStorage())
    redis_url = get_settings().redis_url
    if not redis_url:
        return _Limiter(own)
    patience = {"socket_timeout": PATIENCE_SECONDS, "socket_connect_timeout": PATIENCE_SECONDS}
    shared = RedisStorage(f"async+{redis_url}", implementation="redispy", **patience)  # type: ignore[arg-type]
    return _Limiter(own, FixedWindowRateLimiter(shared))


@lru_cache(maxsize=32)
def _rate(text: str) -> RateLimitItem:
    return parse(text)


async def spend(rate: str, *who: str) -> None:
    """Count one act against a rate such as `60/minute`. Raises TooManyRequests."""
    item = _rate(rate)
    ends_at = await _limiter().spend(item, who)
    if ends_at is not None:
        # A clock that was set back a little would make this more; no window lasts longer than its rate says.
        raise TooManyRequests(min(int(ends_at - time.time()) + 1, item.get_expiry()))


def is_redis_there() -> bool:
    """Whether Redis answers now; also true where there is none."""
    redis_url = get_settings().redis_url
    if not redis_url:
        return True
    patience = {"socket_timeout": PATIENCE_SECONDS, "socket_connect_timeout": PATIENCE_SECONDS}
    try:
        with Redis.from_url(redis_url, **patience) as redis:
            return bool(redis.ping())
    except (RedisError, OSError):
        return False
