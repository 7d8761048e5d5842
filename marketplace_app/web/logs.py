"""Keeps secrets and floods out of the log."""

import logging
import re
import time

SECRETS = re.compile(r"((?:__Host-)?(?:session|age|sign_in)=)[^;\s'\"]+", re.IGNORECASE)
COOKIE_HEADER = re.compile(r"(['\"]?cookie['\"]?\s*[:=]\s*)(['\"]).*?\2", re.IGNORECASE)
LONGEST_LINE = 2_000
BURST, WINDOW_SECONDS = 30, 10.0


class RedactAndSample(logging.Filter):
    """Cookies are blanked, lines cut, and of a burst of alike records only the first thirty in ten seconds pass."""

    def __init__(self) -> None:
        super().__init__()
        self._window_began = 0.0
        self._passed = 0

    def filter(self, record: logging.LogRecord) -> bool:
        if time.monotonic() - self._window_began > WINDOW_SECONDS:
            self._window_began, self._passed = time.monotonic(), 0
        self._passed += 1
        if self._passed > BURST:
            return False
        text = record.getMessage()
        if record.exc_info:
            text = f"{text}\n{logging.Formatter().formatException(record.exc_info)}"
            record.exc_info = record.exc_text = None
        record.msg, record.args = redact(text), ()
        return True


def redact(text: str) -> str:
    text = COOKIE_HEADER.sub(r"\1\2[redacted]\2", SECRETS.sub(r"\1[redacted]", text))
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]} ..."


def install() -> None:
    """On the handlers of every logger that may see what clients send."""
    for name in ("reflex", "reflex_base", "marketplace_app", "engineio", "socketio", "uvicorn.error"):
        logger = logging.getLogger(name)
        if not any(isinstance(installed, RedactAndSample) for installed in logger.filters):
            logger.addFilter(RedactAndSample())
        for handler in logger.handlers:
            handler.addFilter(RedactAndSample())
