"""What follows from each reason why an order was not handed over (RULE failed-stops)."""

from marketplace_app.models import FailureReason
from marketplace_app.services.dispatch import failures


def test_every_reason_has_a_rule_and_no_sentence_blames() -> None:
    assert set(failures.RULES) == set(FailureReason)
    cancelling = {reason for reason, rule in failures.RULES.items() if rule.is_cancelled}
    assert cancelling == {FailureReason.UNDER_21, FailureReason.REFUSED}
    for rule in failures.RULES.values():
        assert rule.sentence.startswith("because ")
        assert "you" not in rule.sentence.split(), "it says what happened, not what the customer did"
