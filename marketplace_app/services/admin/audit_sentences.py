"""What audit entries say after the name of the actor.

A new action needs a line in `ACTIONS`: `tests/services/admin/test_audit_sentences.py` fails until it has one.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from marketplace_app import cash_messages, money
from marketplace_app.schemas.base import signed_cents
from marketplace_app.schemas.products.product_labels import LABELS
from marketplace_app.schemas.setting_fields import BY_NAME

Details = Mapping[str, Any]


def _from_to(details: Details) -> str:
    return f": {_in_words(details['from'])} → {_in_words(details['to'])}"


# Matches a name from the code, such as `in_progress`, but no email or SKU with underscores in it.
_IDENTIFIER = re.compile("[a-z]+(_[a-z]+)+")
# Fields whose column name would not read well in a sentence.
_FIELD_NAMES = {
    "estimated_delivery_at": "estimated delivery",
    "image": "picture",
    "freeFrom": "free from",
} | {name: each.label_in_text for name, each in LABELS.items()}


def _fields(details: Details) -> str:
    """The changed fields: their names, with the old and new value if recorded."""
    named = [_field_name(name) for name in details.get("fields", ())]
    changes = [*named, *(_change(name, value) for name, value in details.items() if name != "fields")]
    return f": {'; '.join(changes)}" if changes else ""


def _change(name: str, value: Any) -> str:
    if isinstance(value, list) and len(value) == 2:
        text_of = money.show if name.endswith("_cents") else _amount if name == "credit" else _shortened
        return f"{_field_name(name)} {text_of(value[0])} → {text_of(value[1])}"
    return _field_name(name)


def _amount(text: str) -> str:
    """`-12.50` -> `−$12.50`"""
    return money.show(signed_cents(text))


def _field_name(field: str) -> str:
    """`price_cents` -> `price`, `is_featured` -> `featured`"""
    return _FIELD_NAMES.get(field) or _in_words(field.removesuffix("_cents").removeprefix("is_"))


def _shortened(value: Any) -> str:
    text = _in_words(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _in_words(value: Any) -> str:
    """A value in words: yes or no, a list with commas, words without underscores."""
    if value in (None, "", []):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_in_words, value))
    text = str(value)
    return text.replace("_", " ") if _IDENTIFIER.fullmatch(text) else text


def _counted(number: int, noun: str) -> str:
    """`1 unit`, `1,312 units`"""
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"


def _total(details: Details) -> str:
    return f" for {money.show(details['total'])}" if "total" in details else ""


def _stock(details: Details) -> str:
    return f" by {details['change']:+d}: {details['note']}"


def _counts(details: Details) -> str:
    return ": " + ", ".join(f"{count:,} {name}" for name, count in details.items())


def _batch(details: Details) -> str:
    """` FH-2611 with 48 units`, ` FH-2611: a jar smelled of mould`"""
    units = f" with {_counted(details['units'], 'unit')}" if "units" in details else ""
    reason = f": {details['reason']}" if "reason" in details else ""
    return f" {details['code']}{units}{reason}"


def _swap(details: Details) -> str:
    """`: FH-2611 → FH-2612, 2 units`"""
    return f": {details['before']} → {details['code']}, {_counted(details['units'], 'unit')}"


ANSWERS = {"yes": "yes", "no": "no", "lapsed": "yes, but that batch could not be used any more"}
"""What the customer said when asked about another batch, by the outcome of the question."""


def _invited(details: Details) -> str:
    count = len(details["ids"])
    return f": {count:,} {'person' if count == 1 else 'people'}"


def _synonym(details: Details) -> str:
    return f": {details['synonym']}"


def _name(details: Details) -> str:
    return f" {details['name']}"


def _window(details: Details) -> str:
    return f" {details['window']}"


def _run(details: Details) -> str:
    """`: driver Dora, vehicle White van, orders 1041, 1042`"""
    listed = {name: _in_words(details[name]) for name in ("driver", "day", "vehicle", "orders") if details.get(name)}
    return ": " + ", ".join(f"{name} {value}" for name, value in listed.items())


def _handed_in(details: Details) -> str:
    """`: $110.00, $5.00 short`"""
    return f": {money.show(details['cents'])}, {cash_messages.difference(details['difference'])}"


def _departed(details: Details) -> str:
    return f" with {_counted(details['orders'], 'order')}"


def _choices(details: Details) -> str:
    """`choices` has the index of the chosen option for each line of the rules; the sentence counts from 1."""
    chosen = [f"value {option + 1} of {line}" for line, option in details["choices"].items()]
    return f", choosing {', '.join(chosen)}" if chosen else ""


def _named_fields(details: Details) -> str:
    return f"{_name(details)}{_fields({'fields': details['fields']})}"


def _none(_details: Details) -> str:
    return ""


ACTIONS: Mapping[str, tuple[str, str, Callable[[Details], str]]] = {
    "order.placed": ("Order placed", "placed {}", _total),
    "order.status": ("Order status changed", "changed {}", _from_to),
    "order.edited": ("Order edited", "edited {}", _fields),
    "order.recall_read": ("Recall read", "has confirmed reading the recall notice for {}", _none),
    "order.ready": ("Customer ready", "is ready for {}", _none),
    "order.batch_changed": ("Batch in order changed", "changed the batch in {}", _swap),
    "order.batch_asked": ("Asked about a batch", "asked the customer about another batch in {}", _swap),
    "order.batch_answered": (
        "Answer about a batch",
        "answered about another batch in {}",
        lambda d: f"{_swap(d)}: {ANSWERS[d['outcome']]}",
    ),
    "order.batch_wish": ("Wish for batches changed", "changed the wish for batches of {}", _from_to),
    "order.moved": ("Delivery time changed", "changed the delivery time of {}", _from_to),
    "order.deleted": ("Order deleted", "deleted {}", _none),
    "orders.exported": ("Orders exported", "exported orders", _none),
    "taxes.exported": ("Taxes exported", "exported taxes", lambda d: f": {d['from']} to {d['to']}"),
    "ticket.answered": ("Ticket answered", "answered {}", _none),
    "ticket.changed": ("Ticket changed", "changed {}", _fields),
    "user.edited": ("User edited", "edited {}", _fields),
    "user.banned": ("User banned", "banned {}", _none),
    "user.unbanned": ("User unbanned", "unbanned {}", _none),
    "user.deleted": ("User deleted", "deleted {}", _none),
    "user.signed_out": ("User signed out", "signed {} out everywhere", _none),
    "user.role": ("Role changed", "changed the role of {}", _from_to),
    "account.deleted": ("Account deleted", "deleted their account", _none),
    "referral.applied": ("Referral code applied", "applied a referral code", _none),
    "invitation.sent": ("Invitation sent", "sent {}", _none),
    "invitation.resent": ("Invitation resent", "resent {}", _none),
    "invitation.revoked": ("Invitation revoked", "revoked {}", _none),
    "invitation.accepted": ("Invitation accepted", "accepted {}", _none),
    "invitation.imported": ("Invitations imported", "invited from a file", _invited),
    "mail.resent": ("Mail sent again", "sent {} again that was given up", lambda d: f": {d['count']:,}"),
    "product.created": ("Product created", "created {}", _none),
    "product.edited": ("Product edited", "edited {}", _fields),
    "product.archived": ("Product archived", "archived {}", _none),
    "product.pictured": ("Picture set", "changed the picture of {}", _none),
    "product.stock_adjusted": ("Stock adjusted", "adjusted the stock of {}", _stock),
    "product.lab_report_saved": ("Lab report saved", "saved the lab report of {}", _none),
    "product.lab_report_removed": ("Lab report removed", "removed the lab report of {}", _none),
    "product.lab_report_pdf": ("Lab report's PDF set", "added the PDF to the lab report of {}", _none),
    "product.lab_report_pdf_removed": ("Lab report's PDF removed", "removed the PDF of the lab report of {}", _none),
    "products.imported": ("Products imported", "imported products", _counts),
    "synonym.added": ("Synonym added", "added {}", _synonym),
    "synonym.changed": ("Synonym changed", "changed {}", lambda d: f": {d['from']} is now {d['to']}"),
    "synonym.removed": ("Synonym removed", "removed {}", _synonym),
    "batch.received": ("Batch received", "received {}", _batch),
    "batch.edited": ("Batch edited", "edited {}", lambda d: f"{_batch(d)}{_fields({'fields': d['fields']})}"),
    "batch.held": ("Batch held", "held {}", _batch),
    "batch.released": ("Batch released", "released {}", _batch),
    "batch.corrected": ("Units of a batch corrected", "corrected {}", lambda d: f"{_batch(d)}{_stock(d)}"),
    "batch.expired": ("Batch expired", "set aside {}", _batch),
    "batch.recalled": ("Batch recalled", "recalled {}", lambda d: f"{_batch(d)}, in {_counted(d['orders'], 'order')}"),
    "batch.recall_drilled": ("Recall rehearsed", "rehearsed the recall of {}", _batch),
    "batch.recall_exported": ("Recall exported", "exported the recall of {}", _batch),
    "zone.added": ("Zone added", "added {}", _name),
    "zone.changed": ("Zone changed", "changed {}", _named_fields),
    "zone.removed": ("Zone removed", "removed {}", _name),
    "window.added": ("Delivery window added", "added {}", _window),
    "window.changed": ("Delivery window changed", "changed {}", _window),
    "window.removed": ("Delivery window removed", "removed {}", _window),
    "closure.added": ("Day closed", "closed {} for deliveries", lambda d: f": {d['reason']}" if d["reason"] else ""),
    "closure.removed": ("Closed day opened", "opened {} for deliveries", _none),
    "stop.released": ("Stop released", "released the stop of {}", _none),
    "rules.added": ("Rules added", "added {}", lambda d: f", in force from {d['valid_from']}"),
    "rules.reviewed": ("Rules reviewed", "reviewed {}", _choices),
    "zips.loaded": ("ZIP codes loaded", "loaded ZIP codes", lambda d: f": {d['count']:,}"),
    "shift.opened": ("Shift opened", "opened the shift of {}", lambda d: f" with {money.show(d['cents'])}"),
    "shift.counted": (
        "Shift counted",
        "counted the cash of {}",
        lambda d: f": {money.show(d['cents'])}, count {d['number']}",
    ),
    "shift.closed": ("Shift closed", "closed the shift of {}", _handed_in),
    "cash.moved": ("Cash moved", "moved cash", lambda d: f": {money.show(d['cents'])}, {d['reason']}"),
    "cash.corrected": ("Cash counted", "corrected the ledger by a count", lambda d: f": {money.show(d['cents'])}"),
    "cash.booked_earlier": (
        "Earlier cash booked",
        "booked as paid before the ledger",
        lambda d: f": {_counted(d['orders'], 'order')}",
    ),
    "run.planned": ("Run planned", "planned {}", _run),
    "run.changed": ("Run changed", "changed {}", _run),
    "run.discarded": ("Run removed", "removed {}", _none),
    "run.stop_added": ("Order put on a run", "put an order on {}", lambda d: f": order {d['order']}"),
    "run.stop_removed": ("Order taken off a run", "took an order off {}", lambda d: f": order {d['order']}"),
    "run.reordered": ("Stops reordered", "changed the order of the stops of {}", _none),
    "run.departed": ("Run left", "let {} leave", _departed),
    "run.closed": ("Run closed", "closed {}", _none),
    "legal.published": ("Legal text published", "published {}", lambda d: f", version {d['version']}"),
    "settings.changed": ("Setting changed", "changed {}", _from_to),
}
"""By action: its name in the filter, what was done to the subject, and what the sentence adds from the details."""


def name_of(action: str) -> str:
    return ACTIONS[action][0] if action in ACTIONS else action


def predicate_of(action: str, subject: str, details: Details) -> str:
    """The sentence without the actor: `changed order 1036: pending → confirmed`."""
    if action not in ACTIONS:
        return f"did {action} to {subject}"
    _, done, details_of = ACTIONS[action]
    if action == "settings.changed" and (setting := BY_NAME.get(subject)) is not None:
        subject, details = setting.label, {name: setting.show(details[name]) for name in ("from", "to")}
    return f"{done.format(subject)}{details_of(details)}"
