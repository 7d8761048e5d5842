"""`make fuzz`: a visitor, a shopper and the owner send whatever the OpenAPI allows, and much it does not.

No answer may be a server error, an undocumented status or another shape than documented.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import httpx

from tests.e2e.conftest import ROOT, wait_until_ready
from tests.e2e.wire import cookie_of

PORT = 8803
URL = f"http://localhost:{PORT}"
CHECKS = "not_a_server_error,response_schema_conformance,content_type_conformance,status_code_conformance"
# These end the session that a run depends on. The visitor's run, which has none, tries the latter two.
SIGN_IN_AND_OUT = ("/api/login", "/api/auth/logout")
ENDS_SESSIONS = ("/api/auth/delete-account", "/api/admin/users/{user_id}/sign-out")
BORN = {"dateOfBirth": "1990-04-17"}


def main(schemathesis: str) -> int:
    database = Path(tempfile.mkdtemp(prefix="store-fuzz-")) / "store.db"
    environment = os.environ | {"PORT": str(PORT), "DATABASE_URL": f"sqlite:///{database}", "PYTHONWARNINGS": "ignore"}
    store = subprocess.Popen([sys.executable, "-m", "tests.e2e.bare_store"], cwd=ROOT, env=environment)
    try:
        wait_until_ready(URL, store)
        codes = [_run(schemathesis, "nobody", SIGN_IN_AND_OUT)]
        for email in ("fuzz@example.org", "owner@example.com"):
            cookie = cookie_of(URL, email)
            with httpx.Client(base_url=URL, cookies={"session": cookie}) as client:
                client.post("/api/verify-age", json=BORN).raise_for_status()
                codes.append(_run(schemathesis, cookie, SIGN_IN_AND_OUT + ENDS_SESSIONS))
                assert client.get("/api/auth/user").status_code == 200, f"{email} was signed out during the run"
        assert httpx.get(f"{URL}/readyz").status_code == 200
        return max(codes)
    finally:
        store.terminate()
        store.wait(10)


def _run(schemathesis: str, cookie: str, left_out: Sequence[str]) -> int:
    command = [schemathesis, "run", f"{URL}/api/openapi.json", "-H", f"Cookie: session={cookie}"]
    command += [part for path in left_out for part in ("--exclude-path", path)]
    command += ["--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", "150"]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
