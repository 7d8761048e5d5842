"""The page of an order for staff."""

import pytest

from marketplace_app import clock
from marketplace_app.schemas.admin.orders import AuditLine
from marketplace_app.services.admin.audit_sentences import ACTIONS
from marketplace_app.states.admin.orders.order import _audit_entry


@pytest.mark.parametrize("action", [action for action in ACTIONS if action.startswith("order.")])
def test_every_audited_action_of_an_order_is_named_in_plain_text(action: str) -> None:
    line = AuditLine(at=clock.now(), by=None, action=action, details={})
    assert "." not in _audit_entry(0, line).what
