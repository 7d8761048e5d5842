"""`make triage` learns words' weights from messages; `make triage-report` prints how well they do on held-back ones."""

import sys

from tools.bench.triage.learning import learn
from tools.bench.triage.report import report

if __name__ == "__main__":
    learn() if sys.argv[1:] == ["learn"] else report()
