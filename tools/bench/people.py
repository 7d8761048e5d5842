"""An owner and COUNT shoppers, signed in, for the benchmarks to act as.

`python -m tools.bench.people COUNT` prints their session tokens, one on each line, the owner's first.
It needs `DATABASE_URL`, and raises the stock of all products so that none runs out.
"""

import sys

from sqlalchemy import update
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.models import Product, Role
from marketplace_app.services import sessions
from tests.builders import make_user

PLENTY = 10_000_000


def main(count: int) -> None:
    print("\n".join(db.write(lambda session: _arrange(session, count))))


def _arrange(session: Session, count: int) -> list[str]:
    session.execute(update(Product).values(stock=PLENTY))
    owner = make_user(session, "bench-owner", role=Role.OWNER)
    people = [owner, *(make_user(session, f"bench{number}") for number in range(count))]
    return [sessions.start(session, person) for person in people]


if __name__ == "__main__":
    main(int(sys.argv[1]))
