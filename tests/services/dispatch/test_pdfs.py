"""When what draws PDFs is imported. What they show: test_sheets.py and test_labels.py."""

import subprocess
import sys


def test_a_store_that_starts_does_not_import_what_draws_pdfs() -> None:
    program = "import sys; import marketplace_app.marketplace_app; print({'fpdf', 'fontTools'} & {*sys.modules})"
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
