"""The users of the session cookies that this process has seen, so that rate limits need not read the database.

Only for counting. What somebody may do is checked against the session table every time.
"""

from collections import OrderedDict
from threading import Lock

from marketplace_app.codes import fingerprint

MAX_SIZE = 20_000
_user_ids: OrderedDict[str, int] = OrderedDict()
_lock = Lock()


def remember(token: str, user_id: int) -> None:
    """For callers that have just read from the database whose cookie this is."""
    key = fingerprint(token)
    with _lock:
        _user_ids[key] = user_id
        _user_ids.move_to_end(key)
        if len(_user_ids) > MAX_SIZE:
            _user_ids.popitem(last=False)


def user_id_of(token: str | None) -> int | None:
    """None for a cookie that is invalid, or was not seen lately."""
    return _user_ids.get(fingerprint(token)) if token else None
