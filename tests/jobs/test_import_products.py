"""What `import-products` says of a file (docs/products-csv.md)."""

from pathlib import Path

import pytest
from sqlmodel import Session

from tests.builders import make_product
from tests.jobs.conftest import OK, Terminal

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
        'line 2, effects: warning: "Zesty" is not an effect that shoppers can choose. Those are: '
    )
