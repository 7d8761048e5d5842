"""The users of the session cookies that this process has seen, so that rate limits need not read the database.

Only for counting: what somebody may do is never decided from it.
"""

from threading import Lock

from cachetools import LRUCache

from marketplace_app.codes import fingerprint

MAX_SIZE = 20_000
_user_ids: LRUCache[str, int] = LRUCache(MAX_SIZE)
_lock = Lock()


def remember(token: str, user_id: int) -> None:
    """For callers that have just looked up in the database who owns this cookie."""
    with _lock:
        _user_ids[fingerprint(token)] = user_id


def user_id_of(token: str | None) -> int | None:
    """None for a cookie that is invalid, or was not seen lately."""
    if not token:
        return None
    with _lock:
        return _user_ids.get(fingerprint(token))
