"""The short form of `make search-report`."""

import pytest
from sqlmodel import Session

from tools.bench.search import catalogue, report


@pytest.mark.slow
def test_exact_names_come_first_and_misspellings_are_found(session: Session) -> None:
    catalogue.write(session, 1_000)
    session.commit()
    queries = list(report.generated_queries(catalogue.names(1_000), 150))
    results = report.run(session, queries)
    for kind, least_recall, least_first in (("exact", 1, 1), ("typo", 0.9, 0.85)):
        some = [each for each in results if each.query.kind == kind]
        assert len(some) == 150
        missed = [each.query.words for each in some if not each.first]
        assert sum(each.recall for each in some) >= least_recall * len(some), missed
        assert sum(each.first for each in some) >= least_first * len(some), missed
