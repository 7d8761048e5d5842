"""What the driver's page says of itself (RULE drive-page)."""

import re
from collections.abc import Iterator, Mapping

from reflex_components_core.el.elements import forms

from marketplace_app import dispatch_messages
from marketplace_app.pages.drive import drive


def sentences() -> Iterator[str]:
    for value in vars(dispatch_messages).values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from (each for each in value.values() if isinstance(each, str))


def test_a_button_that_a_sentence_quotes_is_on_the_page_by_that_name() -> None:
    texts = {str(forms._get_static_string_prop(part, "contents")) for part in forms._iter_form_components(drive())}
    quoted = {name for sentence in sentences() for name in re.findall("“(.+?)”", sentence)}
    assert quoted
    assert quoted - texts == set()
