"""Keeps private data and floods out of the log, whichever logger or handler a record passes.

A logger's filters apply only to its own records, not to those of its children, and handlers may be added at any time.
So each record is redacted when it is created, in the record factory. What is printed without a logger (by Reflex's
console, by a crash) is redacted in `sys.stdout` and `sys.stderr`.
"""

import logging
import re
import sys
import threading
import time
from collections import Counter
from typing import Any, TextIO

from marketplace_app.adapters import request_ids
from marketplace_app.config import get_settings
from marketplace_app.web.log_format import formatter
from marketplace_app.web.redaction import redact

BURST, BURST_OF_ALL, WINDOW_SECONDS = 30, 300, 10.0
MAX_SHAPES_REPORTED = 30
SUPPRESSED_LEVEL = -1
"""A level below that of every handler, so that none emits the record."""
_VARYING = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|0x[0-9a-f]+|[\w-]*\d[\w-]*|[\w-]{20,}", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that a terminal obeys or that some programs read as the end of a line. Tabs and line feeds stay."""
_usual_factory = logging.getLogRecordFactory()
logger = logging.getLogger(__name__)


class RepeatLimit:
    """Limits similar records: per ten seconds, the first thirty of a shape pass, and 300 of all shapes together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._window_ends = 0.0
        self._passed: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()

    def passes(self, shape: str) -> bool:
        with self._lock:
            now = time.monotonic()
            if now >= self._window_ends:
                self._window_ends, self._passed = now + WINDOW_SECONDS, Counter()
            if self._passed[shape] < BURST and self._passed.total() < BURST_OF_ALL:
                self._passed[shape] += 1
                return True
            self._report_later()
            is_counted_apart = shape in self._left_out or len(self._left_out) < MAX_SHAPES_REPORTED
            self._left_out[shape if is_counted_apart else "others"] += 1
            return False

    def report(self) -> None:
        """Log one line for each shape of which records were left out."""
        with self._lock:
            left_out, self._left_out = self._left_out, Counter()
        for shape, count in left_out.items():
            logger.warning("%d more like this were left out: %s", count, shape)

    def _report_later(self) -> None:
        if not self._left_out:
            timer = threading.Timer(WINDOW_SECONDS, self.report)
            timer.daemon = True
            timer.start()


_repeat_limit = RepeatLimit()


def make_clean_record(*args: Any, **kwargs: Any) -> logging.LogRecord:
    """The record factory: formats and redacts the text, including the traceback, and silences records beyond the repeat
    limit."""
    record = _usual_factory(*args, **kwargs)
    message = _message_of(record)
    text = _CONTROL.sub(" ", "\n".join(part for part in (message, _trace_of(record)) if part))
    if record.name != __name__ and not _repeat_limit.passes(_shape_of(record, message)):
        record.levelno = SUPPRESSED_LEVEL
    text = redact(text).replace("\n", "\n  ")  # so no text in a record passes for a record of its own
    if record.name == "uvicorn.access":  # whose formatter takes the arguments one by one
        record.args = tuple(redact(arg) if isinstance(arg, str) else arg for arg in record.args or ())
    else:
        record.msg, record.args = text, ()
    record.exc_info = record.exc_text = record.stack_info = None
    record.request_id = request_ids.current()
    return record


def _message_of(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception as error:  # logging must not fail
        return f"{record.msg!r} with arguments that do not fit it ({type(error).__name__})"


def _trace_of(record: logging.LogRecord) -> str:
    trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
    return "\n".join(part for part in (trace, record.stack_info) if part)


def _shape_of(record: logging.LogRecord, message: str) -> str:
    """What records of the same message have in common, without names and numbers."""
    kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
    return f"{record.name} {_VARYING.sub('#', message.partition(chr(10))[0][:400])[:160]} {kind}".rstrip()


class CleanStream:
    """A stream that redacts every write."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(redact(text) if text.strip() else text)
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _LineHandler(logging.StreamHandler[TextIO]):
    """Writes past the `CleanStream`: its records are clean already, and redacting a line of JSON could break it."""


def install() -> None:
    """Redact all records from here on, and all that this process prints."""
    logging.setLogRecordFactory(make_clean_record)
    root = logging.getLogger()
    if not any(isinstance(handler, _LineHandler) for handler in root.handlers):
        handler = _LineHandler(getattr(sys.stderr, "_stream", sys.stderr))
        handler.setFormatter(formatter(get_settings().log_format))
        root.addHandler(handler)
    for name in ("stdout", "stderr"):
        if not isinstance(getattr(sys, name), CleanStream):
            setattr(sys, name, CleanStream(getattr(sys, name)))
