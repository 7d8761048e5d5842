"""Whose session cookies this process has recognised: limits count people without a question to the database.

Only for counting. What somebody may do is asked of the session table every time.
"""

from collections import OrderedDict
from threading import Lock

from marketplace_app.codes import fingerprint

ROOM = 20_000
_people: OrderedDict[str, int] = OrderedDict()
_lock = Lock()


def note(token: str, person_id: int) -> None:
    """The database has just said whose cookie this is."""
    key = fingerprint(token)
    with _lock:
        _people[key] = person_id
        _people.move_to_end(key)
        if len(_people) > ROOM:
            _people.popitem(last=False)


def person_of(token: str | None) -> int | None:
    """None for a cookie that was not recognised lately, or never."""
    return _people.get(fingerprint(token)) if token else None
