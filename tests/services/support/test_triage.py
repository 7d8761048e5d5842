"""Triage of tickets: learned weights, the words that decided, and the hours of the FAQ (RULE ticket-triage)."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from marketplace_app.models import TicketCategory, TicketPriority
from marketplace_app.services.support import triage
from tools.bench.triage.learning import fit
from tools.bench.triage.messages import Message, read
from tools.bench.triage.report import agreement, held_back

NOON = datetime(2026, 11, 20, 12, tzinfo=ZoneInfo("America/Los_Angeles"))


def test_there_are_enough_labelled_messages_and_none_twice() -> None:
    messages = read()
    assert len(messages) >= 200
    assert len({each.message for each in messages}) == len(messages)
    assert {each.category for each in messages} == set(TicketCategory)
    assert {each.priority for each in messages} == set(TicketPriority)
    assert 60 <= len(held_back()) <= len(messages) // 3


@pytest.mark.parametrize(("name", "floor"), [("category", 0.75), ("priority", 0.6)])
def test_most_held_back_messages_are_triaged_correctly(name: str, floor: float) -> None:
    assert agreement(held_back(), name).accuracy >= floor


def test_every_urgent_training_message_is_recognized() -> None:
    taught = [each for each in read() if not each.is_held_back and each.priority == "urgent"]
    assert agreement(taught, "priority").accuracy == 1


def test_every_label_of_a_model_can_be_chosen() -> None:
    words = {"general": "alpha alpha", "product": "beta beta", "billing": "gamma gamma"}
    examples = [Message(False, label, "low", "", text) for label, text in words.items() for _ in range(2)]
    model = fit(examples, "category")
    assert {label: model.decide(set(triage.features_of(text))) for label, text in words.items()} == {
        label: label for label in words
    }


def test_each_decision_names_words_that_are_in_the_message() -> None:
    for each in held_back():
        found = triage.analyse(each.subject, each.message, NOON)
        assert found.words or not each.features & triage.known_features(), each.subject
        assert [words for words in found.words if words not in f"{each.subject}\n{each.message}"] == []
        assert found.tags[0] == found.category


def test_words_that_say_nothing_are_not_named_as_reasons() -> None:
    found = triage.analyse(
        "Where is the driver", "Can you bring it after 6 in the evening? The bell does not work.", NOON
    )
    assert "bring" in found.words
    assert not {"is the", "in the", "it"} & set(found.words)


def test_a_message_of_unknown_words_only_is_general_and_no_words_decided() -> None:
    found = triage.analyse("Zzyzx", "Qwrtz plkmj", NOON)
    assert (found.category, found.priority, found.words) == (TicketCategory.GENERAL, TicketPriority.MEDIUM, ())


def test_messages_about_danger_are_urgent() -> None:
    found = triage.analyse("Help", "My child ate a gummy and cannot stand, please help right now", NOON)
    assert (found.category, found.priority) == (TicketCategory.PRODUCT, TicketPriority.URGENT)
    assert "health" in found.tags


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I feel sick and my feet hurt", ()),
        ("The label is torn", ()),
        ("Why is there a fee? Fees are too high", ("discount",)),
        ("Which lab was it", ("lab report",)),
        ("It arrived by courier", (triage.ORDER_ISSUE, "driver")),
    ],
)
def test_a_word_that_only_begins_like_a_word_of_a_tag_does_not_give_that_tag(
    message: str, expected: tuple[str, ...]
) -> None:
    found = triage.analyse("Hello", message, NOON)
    assert found.tags[1:] == expected


LOW, MEDIUM, HIGH, URGENT = TicketPriority


@pytest.mark.parametrize(
    ("priority", "is_order_issue", "hour", "minute", "said"),
    [
        (URGENT, False, 12, 0, "Immediately"),
        (HIGH, True, 12, 0, "Immediately"),
        (MEDIUM, False, 12, 0, "1-2 hours"),
        (LOW, False, 12, 0, "2-4 hours"),
        (LOW, True, 9, 0, "Within 1 hour"),
        (LOW, False, 17, 0, "2-4 hours"),
        (LOW, False, 17, 1, "2-4 hours during support hours, 9 AM-9 PM"),
        (HIGH, False, 20, 59, "Immediately"),
        (HIGH, False, 21, 0, "Immediately, once support opens tomorrow at 9 AM"),
        (MEDIUM, True, 8, 59, "Within 1 hour, once support opens today at 9 AM"),
        (LOW, False, 23, 30, "2-4 hours, once support opens tomorrow at 9 AM"),
    ],
)
def test_the_estimate_is_that_of_the_faq_and_depends_on_the_support_hours(
    priority: TicketPriority, is_order_issue: bool, hour: int, minute: int, said: str
) -> None:
    at = NOON.replace(hour=hour, minute=minute)
    assert triage.estimate(priority, is_order_issue=is_order_issue, at=at) == said
