"""Spans of statements, without a collector. How they arrive at one: `tests/web/test_request_traces.py`."""

import sqlite3

import pytest
from opentelemetry.sdk.trace import TracerProvider
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool

from marketplace_app.adapters import traces


def connect() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.create_function("fail_on_two", 1, lambda value: 1 / (2 - value))
    return connection


def test_rows_that_cannot_be_fetched_leave_the_ended_span_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(traces, "_tracer", TracerProvider().get_tracer("test"))
    engine = create_engine("sqlite://", creator=connect, poolclass=StaticPool)
    traces.install(engine)
    statement = text("SELECT fail_on_two(value) FROM (SELECT 1 AS value UNION ALL SELECT 2)")
    with traces.request({}, "GET", "/api/products"), engine.connect() as connection:
        found = connection.execute(statement)
        with pytest.raises(OperationalError):
            found.all()
    engine.dispose()
    assert caplog.messages == []
