"""How a record of the log is written: a line to read, or a JSON object for a log collector."""

import logging
from datetime import UTC, datetime

import orjson

from marketplace_app.config import LogFormat


def formatter(log_format: LogFormat) -> logging.Formatter:
    return _Json() if log_format is LogFormat.JSON else _Text()


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        request_id = getattr(record, "request_id", "")
        id_part = f" [{request_id}]" if request_id else ""
        return f"{_time(record)} {record.levelname} {record.name}{id_part} {record.getMessage()}"


class _Json(logging.Formatter):
    """Fields: `time` (UTC), `level`, `logger`, `message` with the traceback, and `requestId` if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        request_id = getattr(record, "request_id", "")
        entry = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id:
            entry["requestId"] = request_id
        return orjson.dumps(entry).decode()


def _time(record: logging.LogRecord) -> str:
    """`2026-11-25T03:10:44.120Z`"""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
