"""All faults, and whether each is tried on the cluster alone or also on one process with SQLite."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from tools.faults import acts
from tools.faults.acts import HALF_OPEN, HELD_SECONDS, PAUSE_SECONDS
from tools.faults.sites import Site, SqliteSite

HOUR = 3600


@dataclass(frozen=True)
class Fault:
    name: str
    inject: Callable[[Site], Sequence[str] | None]
    """May return what people other than the ordering customers saw."""
    on_sqlite: bool = True
    needs_disk: bool = False
    with_impatient_customers: bool = False
    """Whether customers often leave before the answer."""

    def applies_to(self, site: Site, *, has_disks: bool) -> bool:
        return (self.on_sqlite or not isinstance(site, SqliteSite)) and (has_disks or not self.needs_disk)


FAULTS = (
    Fault("a worker is killed", acts.kill_worker, on_sqlite=False),
    Fault("a worker is told to end", acts.end_worker, on_sqlite=False),
    Fault("a process is killed with its workers, and started 5 s later", acts.kill_process),
    Fault("a process is killed without its workers, and started 5 s later", acts.kill_supervisor, on_sqlite=False),
    Fault("a process is restarted", acts.restart_process),
    Fault("the proxy is killed, and started 1 s later", acts.restart_proxy, on_sqlite=False),
    Fault("PostgreSQL crashes, and is started 3 s later", acts.crash_postgresql, on_sqlite=False),
    Fault("Redis is killed, and started 5 s later", acts.kill_redis, on_sqlite=False),
    Fault(f"Redis stands still for {PAUSE_SECONDS} s", acts.pause_redis, on_sqlite=False),
    Fault("Redis loses all that it holds", acts.flush_redis, on_sqlite=False),
    Fault(f"Redis takes no more data for {HELD_SECONDS} s", acts.fill_redis, on_sqlite=False),
    Fault(f"a stranger locks all products for {HELD_SECONDS} s", acts.hold_lock),
    Fault(f"the database's disk is full for {HELD_SECONDS} s", acts.fill_database, needs_disk=True),
    Fault("the disk for uploads is full", acts.fill_uploads, needs_disk=True),
    Fault(f"the disk for logs is full for {HELD_SECONDS} s", acts.fill_logs, needs_disk=True),
    Fault("the identity provider is down", acts.stop_provider),
    Fault("the identity provider does not answer", acts.pause_provider),
    Fault("the identity provider answers nonsense", acts.replace_provider),
    Fault("the mail server is down for an hour", acts.stop_mail_server),
    Fault(f"the clock is an hour slow for {HELD_SECONDS} s", partial(acts.shift_clock, seconds=-HOUR)),
    Fault(f"the clock is a day fast for {HELD_SECONDS} s", partial(acts.shift_clock, seconds=24 * HOUR)),
    Fault(f"the clock is 8 days fast for {HELD_SECONDS} s", partial(acts.shift_clock, seconds=8 * 24 * HOUR)),
    Fault(f"{HALF_OPEN} connections stop in the middle of a request", acts.open_halfway),
    Fault("customers leave before the answer, most of the time", acts.only_wait, with_impatient_customers=True),
    Fault("PostgreSQL dies, and a standby takes over 2 s later", acts.fail_over, on_sqlite=False),
)
