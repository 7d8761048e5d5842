"""Makes the clock wrong in a store that `make faults` started: Python loads this file from the PYTHONPATH.

The file named by STORE_CLOCK_OFFSET holds the seconds by which the clock is wrong, and may change at any time. As when
a real clock is set, timers are not affected, since they count from the start of the machine. Nor are other programs.
"""

import importlib.util
import os
import sys
import time
from datetime import datetime, timedelta
from importlib.abc import MetaPathFinder
from pathlib import Path

_true_time = time.time
_OFFSET_FILE = os.environ.get("STORE_CLOCK_OFFSET", "")


def _offset() -> float:
    try:
        return float(Path(_OFFSET_FILE).read_text() or 0)
    except FileNotFoundError:
        return 0.0


class _ShiftedDatetime(datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.now(tz) + timedelta(seconds=_offset())


class _ShiftWhenImported(MetaPathFinder):
    """Waits for the store's clock: programs that never import it keep the right time."""

    def find_spec(self, name, path, target=None):
        if name != "marketplace_app.clock":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module

        def run_and_shift(module):
            run(module)
            module.datetime = _ShiftedDatetime
            time.time = lambda: _true_time() + _offset()

        spec.loader.exec_module = run_and_shift
        return spec


if _OFFSET_FILE:
    sys.meta_path.insert(0, _ShiftWhenImported())
