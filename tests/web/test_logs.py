import logging

from marketplace_app.web.logs import BURST, RedactAndSample, redact


def test_cookies_do_not_reach_the_log() -> None:
    line = "failed: {'cookie': 'session=abc123; age=21.x'} and session=abc123; sign_in=zzz"
    assert "abc123" not in redact(line)
    assert "zzz" not in redact(line)


def test_a_flood_is_sampled() -> None:
    sampler = RedactAndSample()
    record = logging.LogRecord("reflex", logging.ERROR, "", 0, "bad event", (), None)
    assert sum(sampler.filter(record) for _ in range(5000)) == BURST


def test_traces_are_kept_but_cut_and_redacted() -> None:
    try:
        raise ValueError("session=abc123 " + "x" * 5000)
    except ValueError as error:
        record = logging.LogRecord(
            "reflex", logging.ERROR, "", 0, "oops", (), (type(error), error, error.__traceback__)
        )
    assert RedactAndSample().filter(record)
    assert "ValueError" in record.getMessage()
    assert "abc123" not in record.getMessage()
    assert len(record.getMessage()) < 2100
