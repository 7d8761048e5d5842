"""`make fuzz`: a visitor, a shopper and the owner send whatever the OpenAPI allows, and much it does not.

No answer may be a server error, an undocumented status or another shape than documented.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx

from tests.e2e.conftest import ROOT, wait_until_ready
from tests.e2e.wire import cookie_of

PORT = 8803
URL = f"http://localhost:{PORT}"
CHECKS = "not_a_server_error,response_schema_conformance,content_type_conformance,status_code_conformance"
# These two end the session that the run depends on.
LEFT_OUT = ("--exclude-path", "/api/login", "--exclude-path", "/api/auth/logout")


def main(schemathesis: str) -> int:
    database = Path(tempfile.mkdtemp(prefix="store-fuzz-")) / "store.db"
    environment = os.environ | {"PORT": str(PORT), "DATABASE_URL": f"sqlite:///{database}", "PYTHONWARNINGS": "ignore"}
    store = subprocess.Popen([sys.executable, "-m", "tests.e2e.bare_store"], cwd=ROOT, env=environment)
    try:
        wait_until_ready(URL, store)
        cookies = ("nobody", cookie_of(URL, "fuzz@example.org"), cookie_of(URL, "owner@example.com"))
        codes = [_run(schemathesis, cookie) for cookie in cookies]
        assert httpx.get(f"{URL}/readyz").status_code == 200
        return max(codes)
    finally:
        store.terminate()
        store.wait(10)


def _run(schemathesis: str, cookie: str) -> int:
    command = [schemathesis, "run", f"{URL}/api/openapi.json", "-H", f"Cookie: session={cookie}", *LEFT_OUT]
    command += ["--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", "150"]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
