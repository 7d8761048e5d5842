"""The store as `make cluster` runs it, for tests that know one address and one process: in the foreground, without TLS.

Caddy listens at `PORT`; behind it are two processes with two workers each, at ports of their own, and the identity
provider. PostgreSQL and Redis are the caller's.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.running import ROOT, wait_until_ready
from tools.cluster import packages

PORT = int(os.environ["PORT"])
PROCESS_PORTS, PROVIDER_PORT = (PORT + 16, PORT + 17), PORT + 18
PAGES = ROOT / os.environ["REFLEX_WEB_WORKDIR"] / "build" / "client"
CADDYFILE = """
{
	admin off
	auto_https off
	persist_config off
	log {
		output stderr
		level ERROR
	}
}

import %(folder)s/deploy/store.caddy

http://:%(port)s {
	bind 127.0.0.1
	import store %(pages)s %(processes)s
}
"""


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that the programs are ended
    url = f"http://localhost:{PORT}"
    settings = {
        "PUBLIC_URL": url,
        "TRUSTED_PROXIES": "1",
        "WORKERS": "2",
        "OIDC_ISSUER": f"http://localhost:{PROVIDER_PORT}",
    }
    with ExitStack() as opened:

        def start(command: list[str], **changes: str) -> subprocess.Popen[bytes]:
            environment = os.environ | settings | changes
            started = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL)
            opened.callback(started.terminate)
            return started

        programs = [start([sys.executable, "-m", "marketplace_app.jobs.identity"])]
        for port in PROCESS_PORTS:
            # One after the other: the first one migrates, seeds and builds, and the second one finds it done.
            programs.append(start([sys.executable, "-m", "marketplace_app.jobs.serve"], PORT=str(port)))
            wait_until_ready(f"http://localhost:{port}", programs[-1])
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        programs.append(start(_caddy_command(folder), XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder)))
        while all(program.poll() is None for program in programs):
            time.sleep(0.5)
        raise SystemExit("One of the cluster's programs has ended.")


def _caddy_command(folder: Path) -> list[str]:
    processes = " ".join(f"localhost:{port}" for port in PROCESS_PORTS)
    file = folder / "Caddyfile"
    file.write_text(CADDYFILE % {"folder": ROOT, "port": PORT, "pages": PAGES, "processes": processes})
    return [packages.caddy(), "run", "--adapter", "caddyfile", "--config", str(file)]


if __name__ == "__main__":
    main()
