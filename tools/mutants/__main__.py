"""`make mutants`: changes one expression at a time in the services that handle money; fails if tests miss too many.

python -m tools.mutants            # all modules
python -m tools.mutants credits    # one of them, or several

mutmut makes the mutants and runs the tests that reach each, as `[tool.mutmut]` in pyproject.toml says. It changes only
the bodies of functions: `make mistakes` covers statements at module level, such as the conditional update of the stock.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tools.mistakes.__main__ import copy_store
from tools.mutants.equivalent import EQUIVALENT, Equivalent

MODULES = ("pricing", "buying.orders", "buying.order_rows", "buying.fulfilment", "credits")
MAX_SURVIVORS_PERCENT = 5
NOTICED = ("killed", "timeout")
"""All other outcomes count as survived, such as that no test reaches the mutant, or that its run ended unexpectedly."""


def main(names: list[str]) -> int:
    if unknown := set(names) - set(MODULES):
        raise SystemExit(f"Unknown: {', '.join(sorted(unknown))}. There are {', '.join(MODULES)}.")
    chosen = [module for module in MODULES if not names or module in names]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        copy_store(copy)
        patterns = [f"marketplace_app.services.{module}.*" for module in chosen]
        _mutmut(copy, "run", "--max-children", "2", *patterns)
        outcomes = parse_outcomes(_mutmut(copy, "results", "--all", "true"))
        outcomes = {name: outcome for name, outcome in outcomes.items() if module_of(name) in chosen}
        diffs = {name: _mutmut(copy, "show", name) for name, each in outcomes.items() if each not in NOTICED}
    if not outcomes:
        raise SystemExit("mutmut made no mutants.")
    equivalent = {name for name, diff in diffs.items() if is_equivalent(module_of(name), diff, EQUIVALENT)}
    survivors = diffs.keys() - equivalent
    for name in sorted(survivors):
        print(diffs[name])
    for line in table(chosen, outcomes, equivalent):
        print(line)
    return int(survived_percent(len(outcomes), len(equivalent), len(survivors)) > MAX_SURVIVORS_PERCENT)


def parse_outcomes(listing: str) -> dict[str, str]:
    """The lines of `mutmut results`: a mutant's name and its outcome."""
    pairs = (line.strip().partition(": ") for line in listing.splitlines())
    return {name: outcome for name, _, outcome in pairs if outcome and "__mutmut_" in name}


def module_of(name: str) -> str:
    """`buying.orders` of `marketplace_app.services.buying.orders.x_place__mutmut_1`."""
    return name.removeprefix("marketplace_app.services.").rpartition(".")[0]


def is_equivalent(module: str, diff: str, known: Iterable[Equivalent]) -> bool:
    edit = (_lines(diff, "-"), _lines(diff, "+"))
    return any((each.module, (each.original, each.mutated)) == (module, edit) for each in known)


def _lines(diff: str, sign: str) -> str:
    changed = (line for line in diff.splitlines() if line.startswith(sign) and not line.startswith(sign * 3))
    return " ".join(line[1:].strip() for line in changed)


def table(modules: Iterable[str], outcomes: dict[str, str], equivalent: set[str]) -> list[str]:
    lines = [f"{'module':18} {'mutants':>8} {'killed':>8} {'equivalent':>11} {'survived':>9} {'survived %':>11}"]
    total: Counter[str] = Counter()
    for module in modules:
        names = [name for name in outcomes if module_of(name) == module]
        counts = Counter(mutants=len(names), equivalent=len(equivalent.intersection(names)))
        counts["killed"] = sum(outcomes[name] in NOTICED for name in names)
        total += counts
        lines.append(_row(module, counts))
    return [*lines, _row("all", total)]


def _row(title: str, counts: Counter[str]) -> str:
    made, killed, equivalent = (counts[name] for name in ("mutants", "killed", "equivalent"))
    survived = made - killed - equivalent
    rate = survived_percent(made, equivalent, survived)
    return f"{title:18} {made:8} {killed:8} {equivalent:11} {survived:9} {rate:10.1f}%"


def survived_percent(made: int, equivalent: int, survived: int) -> float:
    """The percentage that survived, of the mutants that a test could notice."""
    return 100 * survived / max(1, made - equivalent)


def _mutmut(copy: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, cwd=copy, stdout=subprocess.PIPE, text=True, check=False).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
