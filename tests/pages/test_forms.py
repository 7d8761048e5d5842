"""Every form of every page sends only fields that its handler declares, and says beside each what is wrong."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_type_hints

from reflex.event import EventChain, EventSpec
from reflex_components_core.el.elements import forms
from reflex_components_core.el.elements.forms import Form

from marketplace_app.pages import site_map
from marketplace_app.states.events.arguments import FORM_KEY
from marketplace_app.states.events.base import policy_of

MAY_BE_SENT_TWICE = {
    "AdminImportState.show": "reads a file",
    "AdminInvitationFileState.check": "reads the lines",
    "AdminLabReportState.save": "replaces the whole report",
    "AdminLegalState.publish": "a second publication of the same text is none",
    "AdminSearchState.save": "the row is closed once it is saved",
    "CheckoutState.place": "has a key of its own (RULE idempotency-key)",
    "PreferencesState.save": "replaces all preferences",
    "ProfileState.save": "replaces the whole profile",
    "ReferralsState.apply": "the form is gone once a code is applied",
}
"""Handlers of forms without a key, and why."""
VALUELESS = ("button", "file", "reset", "submit")
Controls = Counter[tuple[str, str]]


def forms_with_handlers() -> Iterator[tuple[str, dict[str, Any], Controls]]:
    """For every form with a handler of the store: its name, the declared fields with their types, and its controls."""
    for page in site_map(is_development=True):
        for form in forms._iter_form_components(page.view()):
            if isinstance(form, Form) and (handler := _handler(form)) is not None:
                yield f"{page.route}: {handler.__qualname__}", _fields(handler), _controls(form)


def _handler(form: Form) -> Any:
    chain = form.event_triggers.get("on_submit")
    events = chain.events if isinstance(chain, EventChain) else []
    found = [each.handler.fn for each in events if isinstance(each, EventSpec) and policy_of(each.handler.fn)]
    return found[0] if found else None


def _fields(handler: Any) -> dict[str, Any]:
    hints = get_type_hints(handler)
    return dict(get_type_hints(hints["form"]))


def _controls(form: Form) -> Controls:
    """The number of controls by name and kind; a control without a name is not sent."""
    found: Controls = Counter()
    for control in forms._iter_form_components(form):
        name, kind = (forms._get_static_string_prop(control, prop) for prop in ("name", "type"))
        if forms._is_form_control_component(control) and name is not None and kind not in VALUELESS:
            found[str(name), "of each row" if _is_in_a_row(control) else str(kind)] += 1
    return found


def _is_in_a_row(control: Any) -> bool:
    """Of a list from state: there its id is computed, and there may be several of its name."""
    return forms._get_static_string_prop(control, "id") is forms._DYNAMIC_FORM_FIELD


def _type_of(kind: str, count: int) -> Any:
    if kind == "of each row":
        return list[str]
    if kind != "checkbox":
        return str
    return list[str] if count > 1 else bool


def test_every_control_is_a_field_whose_type_keeps_all_its_values() -> None:
    found = list(forms_with_handlers())
    assert len({form for form, _, _ in found}) >= 15
    wrong = [
        (form, name, kind)
        for form, fields, controls in found
        for (name, kind), count in controls.items()
        if fields.get(name) != _type_of(kind, count)
    ]
    assert wrong == []


def test_every_form_but_those_that_may_be_sent_twice_has_a_key() -> None:
    """RULE sent-once."""
    keyed = {
        form.split(": ")[1]: (FORM_KEY in fields, controls[FORM_KEY, "hidden"])
        for form, fields, controls in forms_with_handlers()
    }
    without_key = {form for form, has_key in keyed.items() if has_key == (False, 0)}
    assert without_key == MAY_BE_SENT_TWICE.keys(), (
        "Give a form that must be taken once a `form_key_field` and its state a `form_key` (RULE sent-once); list "
        "one that may be sent twice in MAY_BE_SENT_TWICE, with the reason."
    )
    assert {form for form, has_key in keyed.items() if has_key == (True, 1)} == keyed.keys() - without_key


def test_every_sentence_about_a_control_is_its_description() -> None:
    """What is written under a control is read to those who focus it."""
    found = 0
    unread = []
    for page in site_map(is_development=False):
        built = str(page.view())
        sentences = set(re.findall(r'\bid:"([\w-]+-error)"', built))
        described_by = set(" ".join(re.findall(r'"aria-describedby":"([^"]*)"', built)).split())
        found += len(sentences)
        unread += [(page.route, each) for each in sorted(sentences - described_by)]
    assert found > 50
    assert unread == []
