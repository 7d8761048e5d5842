"""`make mutants` judges by what mutmut prints."""

from pathlib import Path

import pytest

from tools.mutants.__main__ import MODULES, is_equivalent, main, module_of, parse_outcomes, survived_percent, table
from tools.mutants.equivalent import EQUIVALENT, Equivalent

NAME = "marketplace_app.services.buying.orders.x_get__mutmut_"
DIFF = """# a name: survived
--- marketplace_app/services/buying/orders.py
+++ marketplace_app/services/buying/orders.py
@@ -1,3 +1,3 @@
     statement = select(Order)
-        raise NotFound(ORDER_NOT_FOUND)
+        raise NotFound(None)
"""


def test_a_mutant_that_no_test_reaches_has_survived() -> None:
    listing = f"    {NAME}1: killed\n    {NAME}2: no tests\n    {NAME}3: timeout\n    {NAME}4: survived\n"
    lines = table(["buying.orders"], parse_outcomes(listing), {NAME + "4"})
    assert lines[1].split() == ["buying.orders", "4", "2", "1", "1", "33.3%"]


def test_an_equivalent_mutant_is_one_of_that_module_with_that_change() -> None:
    known = Equivalent("buying.orders", "raise NotFound(ORDER_NOT_FOUND)", "raise NotFound(None)", "a test")
    assert module_of(NAME + "1") == "buying.orders"
    assert is_equivalent("buying.orders", DIFF, [known])
    assert not is_equivalent("buying.fulfilment", DIFF, [known])
    assert not is_equivalent("buying.orders", DIFF.replace("(None)", "()"), [known])


def test_the_rate_is_of_mutants_that_could_be_noticed() -> None:
    assert survived_percent(made=110, equivalent=10, survived=5) == 5


def test_each_equivalent_mutant_is_of_code_that_exists() -> None:
    for each in EQUIVALENT:
        assert each.module in MODULES
        source = " ".join(Path(f"marketplace_app/services/{each.module.replace('.', '/')}.py").read_text().split())
        assert source.count(" ".join(each.original.split())) == 1, f"{each.module} has changed: {each.original}"


def test_an_unknown_module_is_refused() -> None:
    """mutmut would change all modules for hours, and none of the mutants would be counted."""
    with pytest.raises(SystemExit, match="Unknown: credit. There are pricing, "):
        main(["credit"])
