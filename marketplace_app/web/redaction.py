"""Removes private data from log lines.

Cookies and other credentials, client addresses and birth dates are found by the name of the field beside them. Long
random strings, invitation links, email and IP addresses, phone numbers, street addresses as written in the United
States, and the values that SQLAlchemy, PostgreSQL and pydantic quote in their messages are found by their own format. A
person's name has no format, so the store never passes one to a logger.
"""

import re
from collections.abc import Callable
from ipaddress import ip_address

MAX_TEXT = 2_000
MAX_EXAMINED = 20_000
"""The middle of a longer text is dropped before the patterns are applied, because they are slow on long texts."""
REDACTED = "[redacted]"

_BIRTH_DATE = r"(?:date_?of_?birth|birth_?date)"
_PRIVATE_FIELDS = (
    r"(?:[\w-]*(?:session|token|secret|password|passwd|authorization|api[_-]?key|signature|verifier)"
    rf"|age|sign_in|sid|nonce|x-forwarded-for|x-real-ip|forwarded|client_ip|remote_addr|{_BIRTH_DATE})"
)
_QUOTE = r"\\*['\"]"
_PRIVATE_FIELD_AND_SEPARATOR = rf"(?P<name>(?<![\w-]){_PRIVATE_FIELDS}{_QUOTE}?\s*[:=,]\s*b?)"
_STREET = (
    r"Street|St|Avenue|Ave|Boulevard|Blvd|Road|Rd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Way|Terrace|Ter|Circle|Cir"
    r"|Parkway|Pkwy|Highway|Hwy|Square|Sq|Trail|Trl|Loop|Alley"
)

Replacement = str | Callable[[re.Match[str]], str]


def _masked_unless_loopback(found: re.Match[str]) -> str:
    try:
        address = ip_address(found[0])
    except ValueError:  # a time of day, or a version
        return found[0]
    return found[0] if address.is_loopback or address.is_unspecified else "[address]"


def _redacted_if_random(found: re.Match[str]) -> str:
    """Redacts a word of 32 or more characters if it looks random: hexadecimal, or digits mixed with lower-case and
    upper-case letters."""
    text = found[0]
    if re.fullmatch(r"[0-9a-f-]+|[0-9A-F-]+", text) and re.search(r"\d", text):
        return REDACTED
    is_mixed = all(re.search(kind, text) for kind in (r"\d", "[a-z]", "[A-Z]"))
    return REDACTED if is_mixed else text


def _whole_header(name: str) -> tuple[re.Pattern[str], Replacement]:
    pattern = rf"({name}{_QUOTE}?\s*[:=,]\s*b?)(?:({_QUOTE})[\s\S]*?\2|[^\n]*)"
    return re.compile(pattern, re.IGNORECASE), rf"\1{REDACTED}"


RULES: tuple[tuple[re.Pattern[str], Replacement], ...] = (
    # Whole headers first: a cookie may have any name, and Reflex's console wraps lines within a header.
    _whole_header("(?:set-)?cookie"),
    _whole_header("(?:proxy-)?authorization"),
    (re.compile(r"\b(Bearer|Basic)\s+[\w.~+/=-]{6,}", re.IGNORECASE), rf"\1 {REDACTED}"),
    (re.compile(r"(\w://)[^\s/@'\"]*:[^\s/@'\"]*@"), rf"\1{REDACTED}@"),
    (re.compile(r"\[parameters: .*?\](?=\s*$|\s*\n)", re.DOTALL), f"[parameters: {REDACTED}]"),
    (re.compile(r"(Key \([^)\n]*\)=\()[^\n]*?(\) (?:already|is not|conflicts|is still))"), rf"\1{REDACTED}\2"),
    (re.compile(r"(Failing row contains )\([^\n]*"), rf"\1{REDACTED}"),
    (re.compile(r"(input_value=).*?(, input_type=)", re.DOTALL), rf"\1{REDACTED}\2"),
    (re.compile(r"(invit(?:e|ations)(?:/|%2F))[\w-]{8,}", re.IGNORECASE), rf"\1{REDACTED}"),
    (re.compile(r"([?&](?:code|state)=)[^\s&'\"]+"), rf"\1{REDACTED}"),
    (
        re.compile(rf"({_BIRTH_DATE}{_QUOTE}?\s*[:=]\s*)(?:datetime\.\w+\([^)]*\)|[\d-]+)", re.IGNORECASE),
        rf"\1{REDACTED}",
    ),
    (
        re.compile(rf"{_PRIVATE_FIELD_AND_SEPARATOR}(?P<quote>{_QUOTE})[\s\S]*?(?P=quote)", re.IGNORECASE),
        rf"\g<name>{REDACTED}",
    ),
    (re.compile(rf"((?<![\w-]){_PRIVATE_FIELDS}=)[^\s;&,'\")\]}}]+", re.IGNORECASE), rf"\1{REDACTED}"),
    (re.compile(r"[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}", re.IGNORECASE), "[email]"),
    (re.compile(r"\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE), r"\1-..."),
    (re.compile(r"(?<![\w-])[\w-]{32,}(?![\w-])"), _redacted_if_random),
    (re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\w)"), _masked_unless_loopback),
    (re.compile(r"(?<![\w:.])(?:[0-9a-f]*+:){2,}+[0-9a-f:.]*(?![\w:])", re.IGNORECASE), _masked_unless_loopback),
    (re.compile(r"(?<!\w)(?:\+?1[-. ])?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?!\w)"), "[phone]"),
    (
        re.compile(
            rf"\b\d{{1,6}}[A-Z]?\s+(?:[\w.'-]+\s+){{1,4}}?(?:{_STREET})\b\.?"
            r"(?:,?\s*(?:Apt|Apartment|Unit|Suite|Ste|#)\.?\s*[\w-]+)?"
            r"(?:,[^,\n'\"]{1,40}){0,2}(?:,?\s*[A-Z]{2}\s+\d{5}(?:-?\d{4})?)?",
            re.IGNORECASE,
        ),
        "[address]",
    ),
    (re.compile(r"\b[A-Z]{2}\s+\d{5}(?:-?\d{4})?\b"), "[address]"),
)


def redact(text: str) -> str:
    """The text redacted and, if long, cut in the middle, since the last line of a traceback says what happened."""
    text = _cut(text, MAX_EXAMINED)
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    return _cut(text, MAX_TEXT)


def _cut(text: str, max_length: int) -> str:
    if len(text) <= max_length:
        return text
    return f"{text[: max_length // 2]} ... {text[-max_length // 2 :]}"
