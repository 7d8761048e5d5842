"""What was measured, as docs/performance.md shows it."""

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from tools.bench import comparisons
from tools.bench.rest import Comparison
from tools.bench.servers import ROOT
from tools.bench.table import Check, Row, markdown, show, table
from tools.written_pages import write_part

PAGE = ROOT / "docs" / "performance.md"
PICTURES = ROOT / "docs" / "pictures"


class Report:
    """A part of the page, which `close` replaces, together with its pictures."""

    def __init__(self, name: str = "figures") -> None:
        self.name = name
        self.parts: list[str] = [f"Measured on {date.today():%d %B %Y}: {_machine()}.\n"]
        self.pictures: dict[str, str] = {}
        self.checks: list[tuple[str, Check]] = []
        """Each with the title of its table."""

    def add(
        self, title: str, body: str, checks: Sequence[Check] = (), *, pictures: Mapping[str, str] | None = None
    ) -> None:
        """Add a section, and print it at once, since a run takes some time. `pictures`: drawings by file name."""
        print(f"\n{title}\n\n{body}", flush=True)
        self.checks += [(title, check) for check in checks]
        self.pictures |= pictures or {}
        shown = "".join(f"![{title}](pictures/{name}.svg)\n\n" for name in pictures or {})
        self.parts.append(f"### {title}\n\n{shown}{body}\n")

    def add_rows(self, title: str, rows: Sequence[Row]) -> None:
        self.add(title, table(rows), [check for row in rows for check in row.checks()])

    def add_comparisons(self, title: str, measured: Sequence[Comparison], *, picture: str = "") -> None:
        drawn = comparisons.draw(title, measured, picture) if picture else {}
        self.add(title, comparisons.table(measured), comparisons.checks(measured), pictures=drawn)

    def close(self, *, is_whole: bool) -> None:
        """Say which goals were missed, and write the page if everything was measured."""
        if self.checks:
            self.parts.insert(1, self._missed_goals())
        if is_whole:
            write_part(PAGE, self.name, "\n".join(self.parts))
            for name, drawing in self.pictures.items():
                (PICTURES / f"{name}.svg").write_text(drawing)

    def _missed_goals(self) -> str:
        missed = [(title, check) for title, check in self.checks if not check.is_met]
        title = f"Goals that the {self.name} miss"
        body = f"{len(missed)} of {len(self.checks)}."
        if missed:
            rows = [
                (where, each.what, show(each.figure, each.unit), each.goal.text(each.unit)) for where, each in missed
            ]
            body += f"\n\n{markdown(('table', 'figure', 'reached', 'goal'), rows)}"
        print(f"\n{title}\n\n{body}", flush=True)
        return f"### {title}\n\n{body}\n"


def _machine() -> str:
    described = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    model = next((line.partition(":")[2].strip() for line in described.splitlines() if "model name" in line), "")
    return f"{os.cpu_count()} cores of {model or platform.machine()}, Python {platform.python_version()}"
