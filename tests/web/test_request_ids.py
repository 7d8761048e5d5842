"""One id follows a request from the proxy into the answer, the log and the database."""

import json
import logging
import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters import request_ids
from marketplace_app.api import health
from marketplace_app.web import logs
from tests import pgbouncer

Configure = Callable[..., None]
ID = "8f14e45f-ceea-467f-a8d2-1c3b6f0a2b11"
OWN = re.compile(r"[0-9a-f]{16}")
STATEMENT = "SELECT query FROM pg_stat_activity WHERE pid = pg_backend_pid()"


def test_a_request_keeps_the_id_of_a_trusted_proxy(client: TestClient, configure: Configure) -> None:
    configure(TRUSTED_PROXIES="1")
    for path in ("/api/products", "/healthz", "/api/nothing"):
        assert client.get(path, headers={"X-Request-Id": ID}).headers["X-Request-Id"] == ID


def test_without_a_proxy_every_request_has_an_id_of_the_store(client: TestClient) -> None:
    given = [client.get("/healthz", headers={"X-Request-Id": ID}).headers["X-Request-Id"] for _ in range(2)]
    assert all(OWN.fullmatch(each) for each in given)
    assert given[0] != given[1]


@pytest.mark.attack("ids of requests that would change a statement or a line of the log")
@pytest.mark.parametrize(
    "forged", ["short", "a" * 65, "*/ DROP TABLE users; --", "one\ttwo-three", "a" * 8 + "\u00e9", "%s%(name)s", ""]
)
def test_an_unsafe_id_is_replaced(client: TestClient, configure: Configure, forged: str) -> None:
    configure(TRUSTED_PROXIES="1")
    answer = client.get("/healthz", headers={"X-Request-Id": forged.encode("latin-1")})
    assert OWN.fullmatch(answer.headers["X-Request-Id"])


def test_of_two_ids_none_is_trusted(client: TestClient, configure: Configure) -> None:
    configure(TRUSTED_PROXIES="1")
    answer = client.get("/healthz", headers=[("X-Request-Id", ID), ("X-Request-Id", ID)])
    assert OWN.fullmatch(answer.headers["X-Request-Id"])


def test_what_a_request_logs_in_a_worker_thread_has_its_id(
    client: TestClient, configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(TRUSTED_PROXIES="1")
    records: list[logging.LogRecord] = []

    def complain(_session: Session) -> None:
        logging.getLogger("marketplace_app.services").warning("in the worker thread")

    monkeypatch.setattr(health, "current_revision", complain)
    usual = logging.getLogRecordFactory()
    logging.setLogRecordFactory(logs.make_clean_record)
    monkeypatch.setattr(logging.Logger, "handle", lambda _self, record: records.append(record))
    try:
        client.get("/readyz", headers={"X-Request-Id": ID})
    finally:
        logging.setLogRecordFactory(usual)
    assert [vars(record)["request_id"] for record in records if record.name.endswith("services")] == [ID]


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_statement_says_which_request_it_is_for(engine: Engine, configure: Configure) -> None:
    configure(SQL_COMMENTS="true")
    commented = pgbouncer.make_engine(engine.url.render_as_string(hide_password=False))
    with request_ids.during(ID):
        seen = db.read(lambda session: session.execute(text(STATEMENT)).scalar_one(), commented)
        repeated = text("SELECT 1 WHERE :word = 'a'")  # run with several sets of values, it must not fail
        db.write(lambda session: session.execute(repeated, [{"word": "a"}, {"word": "b"}]), commented)
    assert seen == f"/* request_id={ID} */ {STATEMENT}"
    assert db.read(lambda session: session.execute(text(STATEMENT)).scalar_one(), commented) == STATEMENT
    commented.dispose()


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_statements_are_as_written_unless_it_is_asked_for(engine: Engine) -> None:
    with request_ids.during(ID):
        assert db.read(lambda session: session.execute(text(STATEMENT)).scalar_one(), engine) == STATEMENT


PROGRAM = """
import logging
from marketplace_app.adapters import request_ids
from marketplace_app.web import logs
logs.install()
logs.install()
with request_ids.during("8f14e45f-ceea-467f-a8d2-1c3b6f0a2b11"):
    try:
        raise KeyError("session=kX3vQ9rZt7bLw2MnPc8YdAf4HsGj6UeR" + " x" * 4000)
    except KeyError:
        logging.getLogger("marketplace_app.somewhere").exception("from olive.owner@shop.test")
logging.getLogger("marketplace_app.somewhere").warning("in\\ntwo")
"""


def printed(**settings: str) -> list[str]:
    run = subprocess.run([sys.executable, "-c", PROGRAM], env=settings, capture_output=True, text=True, check=True)
    return run.stderr.splitlines()


def test_a_line_of_json_is_one_object_with_nothing_private_in_it() -> None:
    first, second = [json.loads(line) for line in printed(LOG_FORMAT="json")]
    assert (first["level"], first["logger"], first["requestId"]) == ("error", "marketplace_app.somewhere", ID)
    assert first["message"].startswith("from [email]\n")
    assert "kX3vQ9" not in first["message"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first["time"])
    assert (second["message"], second["level"]) == ("in\n  two", "warning")
    assert "requestId" not in second


def test_in_development_a_line_is_text() -> None:
    lines = printed()
    assert f"Z ERROR marketplace_app.somewhere [{ID}] from [email]" in lines[0]
    assert lines[-2].endswith("Z WARNING marketplace_app.somewhere in")
