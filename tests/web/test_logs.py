"""Nothing private reaches the log, through any logger, handler or print."""

import io
import json
import logging
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from marketplace_app.web import logs
from marketplace_app.web.redaction import MAX_EXAMINED, MAX_TEXT, redact

PRIVATE = {
    "session": "kX3vQ9-rZt7_bLw2MnPc8YdAf4HsGj6UeRiTo1VqBxN",
    "other cookie": "dark-theme-of-olive",
    "bearer": "abcdef123456",
    "tab": "3fa85f64-5717-4562-b3fc-2c963f66afa6",
    "invitation": "Zk3JvQ9rZt7bLw2MnPc8Yd",
    "email": "olive.owner@shop.test",
    "address": "203.0.113.77",
    "long address": "2001:db8:7::9f",
    "street": "1420 NW Lovejoy Street",
    "phone": "(503) 555-0142",
    "birth date": "1987-03-09",
}
HEADERS = {
    "cookie": f"theme={PRIVATE['other cookie']}; __Host-session={PRIVATE['session']}",
    "authorization": f"Bearer {PRIVATE['bearer']}",
    "x-forwarded-for": PRIVATE["address"],
}
FORMS: list[str] = [
    repr(HEADERS),
    json.dumps(HEADERS),
    json.dumps({"headers": json.dumps(HEADERS)}),
    repr([(name.encode(), value.encode()) for name, value in HEADERS.items()]),
    "\n".join(f"{name.title()}: {value}" for name, value in HEADERS.items()),
    f"Set-Cookie: theme={PRIVATE['other cookie']}; Path=/",
    f"RouterData(session=SessionData(client_token='{PRIVATE['tab']}', client_ip='{PRIVATE['address']}'))",
    f"GET /_event/?EIO=4&token={PRIVATE['tab']} from {PRIVATE['long address']}:4031",
    f"GET /invite/{PRIVATE['invitation']} and /api/login?return_to=%2Finvite%2F{PRIVATE['invitation']}",
    f"no such person: {PRIVATE['email']}, olive.owner%40shop.test",
    f"deliver to {PRIVATE['street']}, Apt 4, Portland, OR 97209, call {PRIVATE['phone']}",
    f"[SQL: INSERT INTO people]\n[parameters: ('Olive', '{PRIVATE['street']}', '{PRIVATE['other cookie']}')]\n(Back",
    f"Key (email)=({PRIVATE['other cookie']}) already exists.\nFailing row contains ({PRIVATE['other cookie']}, 1).",
    f"input_value='{PRIVATE['other cookie']}', input_type=str",
    f"postgresql://store:{PRIVATE['other cookie']}@db/store",
    f"session token {PRIVATE['session']} is unknown",
    json.dumps({"dateOfBirth": PRIVATE["birth date"], "birthDate": PRIVATE["birth date"]}),
    f"OrderForm(birth_date={PRIVATE['birth date']})",
]


class RecordingHandler(logging.Handler):
    """What a handler would write: installed late, on any logger."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def recorded_by(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], RecordingHandler]]:
    usual = logging.getLogRecordFactory()
    monkeypatch.setattr(logs, "_repeat_limit", logs.RepeatLimit())
    logging.setLogRecordFactory(logs.make_clean_record)
    added: list[tuple[logging.Logger, RecordingHandler]] = []

    def listen(name: str) -> RecordingHandler:
        added.append((logging.getLogger(name), RecordingHandler()))
        added[-1][0].addHandler(added[-1][1])
        return added[-1][1]

    yield listen
    logging.setLogRecordFactory(usual)
    for logger, handler in added:
        logger.removeHandler(handler)


def leaks(text: str) -> list[str]:
    return [name for name, secret in PRIVATE.items() if secret in text]


@pytest.mark.parametrize("form", FORMS)
def test_private_data_is_removed_in_every_form(form: str) -> None:
    assert leaks(form)
    assert leaks(redact(form)) == []


@pytest.mark.parametrize(
    "form",
    [
        "{'birth_date': datetime.date(1987, 3, 9)}",
        "OrderForm(birth_date=datetime.date(1987, 3, 9), total=10_000)",
        "birthDate: 1987-03-09",
    ],
)
def test_a_birth_date_is_removed_however_python_writes_it(form: str) -> None:
    assert not re.search(r"1987|\b3, 9\b|03-09", redact(form))


@pytest.mark.parametrize(
    "line",
    [
        "message 12 was not sent (attempt 3): the mail server does not answer",
        "unexpected failure in POST /api/orders",
        'File "/srv/store/marketplace_app/services/buying/orders.py", line 120, in place',
        "refused event 'reflex___state____state.marketplace_app___states___buying___cart____cart_state.add'",
        "Cannot listen on 127.0.0.1:8000: Address already in use at 12:30:45",
        "order 1001 is out for delivery; httpx 0.28.1; 66 products written",
        "KeyError: 'product_id'",
        "answered {'code': 'quote_changed', 'state': 'pending'}",
    ],
)
def test_what_an_operator_needs_stays(line: str) -> None:
    assert redact(line) == line


@pytest.mark.parametrize("zip_code", ["97201", "97201-1234", "972011234"])
def test_the_end_of_an_address_is_removed_with_every_form_of_its_zip_code(zip_code: str) -> None:
    assert redact(f"somewhere in Portland OR {zip_code}") == "somewhere in Portland [address]"
    assert redact(f"214 Larch Street, Apt 3, Floor 2, Portland, OR {zip_code}") == "[address]"


def test_orders_stay_distinguishable_in_the_log() -> None:
    assert redact("order 3fa85f64-5717-4562-b3fc-2c963f66afa6") == "order 3fa85f64-..."


def test_records_of_child_loggers_are_clean(recorded_by: Callable[[str], RecordingHandler]) -> None:
    listening = recorded_by("reflex_base")
    child = logging.getLogger("reflex_base.event.processor.somewhere")
    for form in FORMS:
        child.warning("refused %s", form)
        child.warning(form)
    assert len(listening.lines) == 2 * len(FORMS)
    assert leaks("\n".join(listening.lines)) == []


def test_an_exception_with_the_headers_in_it_is_clean(recorded_by: Callable[[str], RecordingHandler]) -> None:
    listening = recorded_by("marketplace_app")
    try:
        raise KeyError(HEADERS)
    except KeyError:
        logging.getLogger("marketplace_app.states.deep").exception("unexpected failure", stack_info=True)
    assert "KeyError" in listening.lines[0]
    assert "test_logs.py" in listening.lines[0]
    assert leaks(listening.lines[0]) == []


def test_mismatched_arguments_are_logged_without_leaking(recorded_by: Callable[[str], RecordingHandler]) -> None:
    listening = recorded_by("engineio")
    logging.getLogger("engineio.server").error("%d of %d", HEADERS["cookie"])
    assert "do not fit" in listening.lines[0]
    assert leaks(listening.lines[0]) == []


def test_the_access_log_keeps_its_form(recorded_by: Callable[[str], RecordingHandler]) -> None:
    from uvicorn.logging import AccessFormatter

    listening = recorded_by("uvicorn.access")
    listening.setFormatter(AccessFormatter("%(client_addr)s %(request_line)s %(status_code)s"))
    path = f"/invite/{PRIVATE['invitation']}"
    logging.getLogger("uvicorn.access").warning(
        '%s - "%s %s HTTP/%s" %d', f"{PRIVATE['address']}:4000", "GET", path, "1.1", 200
    )
    assert "GET /invite/" in listening.lines[0]
    assert leaks(listening.lines[0]) == []


def test_no_message_can_forge_a_line_of_the_log(recorded_by: Callable[[str], RecordingHandler]) -> None:
    listening = recorded_by("marketplace_app")
    logging.getLogger("marketplace_app.api").warning("asked for %s", "x\nERROR all data is lost\x1b[2J")
    assert listening.lines[0].splitlines()[1].startswith("  ")
    assert "\x1b" not in listening.lines[0]


@pytest.mark.parametrize("end", ["\n", "\r", "\x85", "\u2028"])
def test_no_exception_can_forge_a_line_of_the_log(recorded_by: Callable[[str], RecordingHandler], end: str) -> None:
    listening = recorded_by("marketplace_app")
    try:
        raise ValueError(f"no number: x{end}ERROR all data is lost\x1b[2J")
    except ValueError:
        logging.getLogger("marketplace_app.api").exception("unexpected failure")
    assert all(line.startswith("  ") for line in listening.lines[0].splitlines()[1:])
    assert "\x1b" not in listening.lines[0]


def test_a_flood_is_capped_for_children_too_and_counted(recorded_by: Callable[[str], RecordingHandler]) -> None:
    listening, own = recorded_by("reflex"), recorded_by("marketplace_app.web.logs")
    for number in range(5_000):
        logging.getLogger(f"reflex.state.{number % 3}").error("bad event %s", f"'{number}'")
    assert len(listening.lines) == 3 * logs.BURST
    logs._repeat_limit.report()
    assert len(own.lines) == 3
    assert sum(int(line.split()[2]) for line in own.lines) == 5_000 - 3 * logs.BURST


def test_a_flood_of_varying_messages_is_capped_too(recorded_by: Callable[[str], RecordingHandler]) -> None:
    listening, own = recorded_by("reflex"), recorded_by("marketplace_app.web.logs")
    for number in range(2_000):
        word = "".join(chr(ord("a") + int(digit)) for digit in str(number))
        logging.getLogger("reflex.state").error(f"no event {word}")
    logs._repeat_limit.report()
    assert len(listening.lines) == logs.BURST_OF_ALL
    assert len(own.lines) <= logs.BURST + 1


def test_another_message_is_logged_during_a_flood(recorded_by: Callable[[str], RecordingHandler]) -> None:
    listening = recorded_by("reflex")
    for _ in range(200):
        logging.getLogger("reflex.state").error("bad event")
    logging.getLogger("reflex.state").error("the database is gone")
    assert "the database is gone" in listening.lines[-1]


def test_long_lines_are_cut_in_the_middle(recorded_by: Callable[[str], RecordingHandler]) -> None:
    listening = recorded_by("reflex")
    logging.getLogger("reflex.app").error("begins %s ends", "x " * 100_000)
    assert len(listening.lines[0]) < MAX_TEXT + 100
    assert "begins" in listening.lines[0]
    assert listening.lines[0].endswith("ends")


def test_a_long_run_of_colons_costs_no_more_than_another_text() -> None:
    """It was searched for addresses in cubic time, which took hours for this one."""
    assert redact(":" * MAX_EXAMINED + "g").endswith("::g")


def test_printed_output_is_clean_too() -> None:
    from rich.console import Console

    written = io.StringIO()
    stream = logs.CleanStream(written)
    for form in FORMS:
        print(form, file=stream)  # type: ignore[call-overload]
        Console(file=stream, width=500).print(form, markup=False)  # type: ignore[arg-type]
    assert leaks(written.getvalue()) == []
    assert written.getvalue().count("\n") > len(FORMS)


def test_a_whole_process_leaks_nothing() -> None:
    """lastResort, warnings, a crash in a thread, in a task, a late handler, and the end of the process itself."""
    program = f"""
import asyncio, logging, sys, threading, warnings
early = logging.StreamHandler()
from marketplace_app.web import logs
logs.install()
private = {FORMS[0] + " " + FORMS[7]!r}
logging.getLogger("some.library").error(private)
logging.captureWarnings(False)
warnings.warn(private)
logging.captureWarnings(True)
warnings.warn(private + " again")
logging.getLogger("late.one").addHandler(logging.StreamHandler(sys.stderr))
logging.getLogger("late.one.child").error(private)
logging.getLogger("early").addHandler(early)
logging.getLogger("early.child").error(private)
from reflex_base.utils import console
console.print(private, markup=False)
console.error(private)
def fail(): raise RuntimeError(private)
thread = threading.Thread(target=fail); thread.start(); thread.join()
async def task(): fail()
async def main():
    asyncio.create_task(task()); await asyncio.sleep(0.01)
asyncio.run(main())
import gc; gc.collect()
fail()
"""
    # The warning is a part of the test, whatever PYTHONWARNINGS says where it runs.
    done = subprocess.run([sys.executable, "-W", "always", "-c", program], capture_output=True, text=True, timeout=60)
    said = done.stdout + done.stderr
    for way in ("Task exception was never retrieved", "Exception in thread", "UserWarning", "Traceback"):
        assert way in said
    assert leaks(said) == []


def test_control_a_filter_of_a_parent_logger_misses_its_children() -> None:
    """Why the record factory: the control of the tests above."""
    records: list[logging.LogRecord] = []
    parent = logging.getLogger("control")
    parent.addFilter(lambda record: records.append(record) or True)  # type: ignore[func-returns-value]
    logging.getLogger("control.child").warning("hidden")
    assert records == []
