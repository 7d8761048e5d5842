"""What `import-products` says of a file (docs/products-csv.md)."""

from pathlib import Path

import pytest
from sqlmodel import Session

from tests.builders import make_product
from tests.jobs.conftest import OK, WRONG, Terminal

pytestmark = pytest.mark.slow


@pytest.fixture
def fern(session: Session) -> None:
    make_product(session, sku="FERN")
    session.commit()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "products.csv"


@pytest.mark.usefixtures("fern")
@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_warnings_are_listed_by_line_and_column(terminal: Terminal, file: Path, options: tuple[str, ...]) -> None:
    file.write_text("sku,effects\nFERN,Zesty\n", encoding="utf-8")
    done = terminal("import-products", str(file), *options)
    assert done.returncode == OK
    assert done.stdout.startswith(
        'line 2, effects: warning: "Zesty" is not an effect that shoppers can choose. They can choose: '
    )


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
@pytest.mark.parametrize(("lines", "counted"), [(999, "999"), (1_000, "at least 1,000"), (1_001, "at least 1,000")])
def test_a_count_of_mistakes_that_was_cut_off_says_so(
    terminal: Terminal, file: Path, lines: int, counted: str, options: tuple[str, ...]
) -> None:
    file.write_text("sku,price\n" + "NEW\n" * lines, encoding="utf-8")  # a cell is missing in each line
    refused = terminal("import-products", str(file), *options)
    assert (refused.returncode, refused.stderr) == (WRONG, f"Nothing was imported: {counted} mistakes to correct.\n")


@pytest.mark.parametrize(("lines", "is_said"), [(999, False), (1_000, True), (1_001, True)])
def test_a_list_of_changes_that_may_be_cut_off_says_so(
    terminal: Terminal, file: Path, lines: int, is_said: bool
) -> None:
    header = "sku,name,description,price,category,type,stock\n"
    new = "".join(f"NEW-{number},Fern,Cool pine,60.00,THC Flower,Indica,1\n" for number in range(lines))
    file.write_text(header + new, encoding="utf-8")
    tried = terminal("import-products", str(file), "--dry-run")
    assert tried.returncode == OK, tried.stdout
    assert ("\nAt most 1,000 changes are listed.\n" in tried.stdout) == is_said
