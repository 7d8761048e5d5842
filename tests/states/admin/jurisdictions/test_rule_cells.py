"""The inputs of the form 'New version': a copy of a state's rules, with a field for each amount and source."""

import pytest

from marketplace_app import rule_messages
from marketplace_app.errors import InvalidInput
from marketplace_app.schemas.jurisdictions.jurisdictions import RulesForm
from marketplace_app.states.admin.jurisdictions.rule_cells import groups_of, with_texts

ALLOWED = [{"value": True, "source": "Law 1"}]
RULES = RulesForm.model_validate(
    {
        "delivery": ALLOWED,
        "cashOnDelivery": ALLOWED,
        "hours": [{"value": {"opens": "09:00", "closes": "21:00"}, "source": "Law 2"}],
        "minimumDue": [{"value": "1.00", "source": "Law 3"}],
        "vehicleValue": [{"value": "5000.00", "source": "Law 4"}, {"value": "10000.00", "source": "Law 5"}],
        "buckets": [
            {
                "code": "flower",
                "label": "Flower",
                "days": 1,
                "limit": [{"value": 1_134_000, "source": "Law 6"}],
                "counts": [{"category": "THC Flower"}],
            }
        ],
        "taxes": [
            {"code": "sales", "label": "Sales tax", "rate": [{"value": 725, "source": "Law 7"}], "base": ["items"]}
        ],
    }
)
TEXTS = {cell.path: cell.value for group in groups_of(RULES) for cell in group.cells}


def test_every_amount_and_its_source_has_a_field() -> None:
    assert [(group.label, [(cell.label, cell.value) for cell in group.cells]) for group in groups_of(RULES)] == [
        ("Hours of delivery", [("Opens", "09:00"), ("Closes", "21:00"), ("Source", "Law 2")]),
        ("Due at least", [("Amount, $", "1.00"), ("Source", "Law 3")]),
        ("Products in one vehicle, value 1 of 2", [("Amount, $", "5000.00"), ("Source", "Law 4")]),
        ("Products in one vehicle, value 2 of 2", [("Amount, $", "10000.00"), ("Source", "Law 5")]),
        ("Limit: Flower, a day", [("Grams", "1134"), ("Source", "Law 6")]),
        ("Tax: Sales tax", [("Rate, %", "7.25"), ("Source", "Law 7")]),
    ]


def test_fields_left_as_they_are_make_the_same_rules() -> None:
    assert with_texts(RULES, TEXTS) == RULES.wire()


def test_changed_fields_change_their_place_alone() -> None:
    changes = {
        "buckets.0.limit.0.value": " 28.5 ",
        "taxes.0.rate.0.value": "7.5",
        "taxes.0.rate.0.source": "Law 8",
        "hours.0.value.closes": "22:00",
    }
    changed = RulesForm.model_validate(with_texts(RULES, TEXTS | changes))
    assert changed.buckets[0].limit.options[0].value == 28_500
    assert changed.taxes[0].rate.options[0].model_dump() == {"value": 750, "source": "Law 8"}
    expected = RULES.wire()
    expected["buckets"][0]["limit"][0]["value"] = 28_500
    expected["taxes"][0]["rate"][0] = {"value": 750, "source": "Law 8"}
    expected["hours"][0]["value"]["closes"] = "22:00"
    assert changed.wire() == expected


@pytest.mark.parametrize(
    "text", ["", "28,5", "-1", "0", "0.0001", "NaN", "Infinity", "1e99", "1e999999", "1_0", "٣", "one"]
)
def test_what_is_no_amount_is_said_beside_its_field(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        with_texts(RULES, TEXTS | {"buckets.0.limit.0.value": text})
    assert refused.value.fields == {"buckets.0.limit.0.value": rule_messages.GRAMS_EXPECTED}


def test_each_amount_needs_its_source() -> None:
    with pytest.raises(InvalidInput) as refused:
        with_texts(RULES, TEXTS | {"hours.0.source": " ", "taxes.0.rate.0.source": "", "taxes.0.rate.0.value": "7.255"})
    assert refused.value.fields == {
        "hours.0.source": rule_messages.SOURCE_EXPECTED,
        "taxes.0.rate.0.source": rule_messages.SOURCE_EXPECTED,
        "taxes.0.rate.0.value": rule_messages.PERCENT_EXPECTED,
    }
