"""The taxes of an order (RULE taxes)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marketplace_app import money
from marketplace_app.models import TaxKind
from marketplace_app.schemas.jurisdictions.state_rules import Rounding, TaxComponent
from marketplace_app.services import taxes
from marketplace_app.services.pricing import Buyer, Item, Terms, quote
from marketplace_app.services.taxes import Goods
from tests.builders import make_tax

# No deadline: how long an example takes depends on what else the machine does.
many_examples = settings(deadline=None, max_examples=200)
FLOWER, EDIBLE = "THC Flower", "Edibles"
cents = st.integers(0, 2_000_00)
goods = st.lists(st.builds(Goods, st.sampled_from((FLOWER, EDIBLE)), st.integers(1, 2_000_00)), max_size=6)


@st.composite
def components(draw: st.DrawFn) -> tuple[TaxComponent, ...]:
    made: list[TaxComponent] = []
    for number in range(draw(st.integers(0, 4))):
        names = ["items", "delivery", *(each.code for each in made)]
        made.append(
            make_tax(
                code=f"tax_{number}",
                basis_points=draw(st.integers(1, 10_000)),
                base=tuple(draw(st.sets(st.sampled_from(names), min_size=1))),
                rounding=draw(st.sampled_from(Rounding)),
                kind=draw(st.sampled_from(TaxKind)),
                categories=draw(st.frozensets(st.sampled_from((FLOWER, EDIBLE)))),
                credit_reduces_base=draw(st.booleans()),
            )
        )
    return tuple(made)


def amounts(
    *made: TaxComponent, lines: tuple[Goods, ...], delivery: int = 0, discount: int = 0, credit: int = 0
) -> list[tuple[int, int]]:
    """Base and amount of each tax."""
    found = taxes.compute(made, lines, delivery_cents=delivery, discount_cents=discount, credit_cents=credit)
    return [(each.base_cents, each.amount_cents) for each in found]


def test_california_as_its_tax_administration_publishes_it() -> None:
    """CDTFA, Tax Guide for Cannabis Businesses, retailers: a product of $35.00 with a city tax of 10 % that is listed
    by itself and a delivery fee of $5.00. The excise tax of 15 % is due on all three ($43.50: $6.53), and the sales
    tax of 8.5 % on all that and the excise tax ($50.03: $4.25): $54.28 in all."""
    city = make_tax(code="city", label="City tax", basis_points=10_00)
    excise = make_tax(code="excise", label="Excise tax", basis_points=15_00, base=("items", "delivery", "city"))
    sales = make_tax(code="sales", basis_points=8_50, base=("items", "delivery", "city", "excise"))
    found = amounts(city, excise, sales, lines=(Goods(FLOWER, 35_00),), delivery=5_00)
    assert found == [(35_00, 3_50), (43_50, 6_53), (50_03, 4_25)]
    made = quote([Item(1, "Fern", 1, 35_00, 1)], Terms(delivery_fee_cents=5_00, taxes=(city, excise, sales)), Buyer())
    assert made.total_cents == 54_28


@pytest.mark.parametrize(
    ("price", "tax"),
    [
        (12_35, 2_10),  # 2.0995
        (10_01, 1_71),  # 1.7017: half up, it would be 1.70
        (1, 1),  # 0.0017
        (100_00, 17_00),  # a whole cent stays
        (300_000_00, 51_000_00),  # OAR 150-475-2010: less 2 % for expenses, $49,980 are due
    ],
)
def test_oregon_takes_17_percent_and_rounds_up_to_the_next_cent(price: int, tax: int) -> None:
    """ORS 475C.674: 17 percent of the retail sales price (2); if that is not a whole cent, the next higher one (3)."""
    retail = make_tax(code="retail", basis_points=17_00, rounding=Rounding.UP)
    assert amounts(retail, lines=(Goods(FLOWER, price),)) == [(price, tax)]


def test_a_tax_applies_to_its_categories_and_to_delivery_only_if_it_names_it() -> None:
    lines = Goods(FLOWER, 60_00), Goods(EDIBLE, 40_00)
    flower = make_tax(code="flower", categories=frozenset({FLOWER}))
    delivery = make_tax(code="delivered", base=("delivery",))
    both = make_tax(code="both", base=("items", "delivery"), categories=frozenset({EDIBLE}))
    assert amounts(flower, delivery, both, lines=lines, delivery=25_00) == [
        (60_00, 6_00),
        (25_00, 2_50),
        (65_00, 6_50),
    ]


def test_a_discount_reduces_each_line_by_its_share() -> None:
    lines = Goods(FLOWER, 60_00), Goods(EDIBLE, 30_01)
    flower, edible = (make_tax(code=name, categories=frozenset({of})) for name, of in (("f", FLOWER), ("e", EDIBLE)))
    # Of 10.00, 6.6659 and 3.3341 fall to them: the remainder of the first is the largest.
    assert amounts(flower, edible, lines=lines, discount=10_00) == [(53_33, 5_33), (26_68, 2_67)]


def test_a_discount_reduces_the_delivery_fee_only_by_what_exceeds_the_goods() -> None:
    of_all = make_tax(base=("items", "delivery"))
    of_delivery = make_tax(code="delivered", base=("delivery",))
    lines = (Goods(FLOWER, 60_00),)
    assert amounts(of_all, of_delivery, lines=lines, delivery=25_00, discount=60_00) == [(25_00, 2_50), (25_00, 2_50)]
    assert amounts(of_all, of_delivery, lines=lines, delivery=25_00, discount=70_00) == [(15_00, 1_50), (15_00, 1_50)]


def test_credit_is_a_payment_unless_a_component_says_otherwise() -> None:
    payment, reduction = make_tax(), make_tax(code="other", credit_reduces_base=True)
    found = amounts(payment, reduction, lines=(Goods(FLOWER, 60_00),), discount=10_00, credit=20_00)
    assert found == [(50_00, 5_00), (30_00, 3_00)]


def test_an_included_tax_is_found_in_the_prices_and_adds_nothing() -> None:
    included = make_tax(label="Sales tax", basis_points=8_20, kind=TaxKind.INCLUDED)
    assert amounts(included, lines=(Goods(FLOWER, 108_20),)) == [(108_20, 8_20)]
    made = quote([Item(1, "Fern", 1, 108_20, 1)], Terms(delivery_fee_cents=0, taxes=(included,)), Buyer())
    assert (made.tax_cents, made.total_cents, made.lines[-1].label) == (0, 108_20, "Includes sales tax of $8.20")


@pytest.mark.parametrize(("label", "said"), [("Sales tax", "sales tax"), ("GST", "GST"), ("tax", "tax")])
def test_the_note_of_an_included_tax_reads_as_a_sentence(label: str, said: str) -> None:
    included = make_tax(label=label, kind=TaxKind.INCLUDED)
    made = quote([Item(1, "Fern", 1, 110_00, 1)], Terms(delivery_fee_cents=0, taxes=(included,)), Buyer())
    assert made.lines[-1].label == f"Includes {said} of $10.00"


@pytest.mark.parametrize(
    ("kind", "rounding", "expected"),
    [
        (TaxKind.ADDED, Rounding.HALF_UP, (1, 0)),
        (TaxKind.ADDED, Rounding.UP, (1, 1)),
        (TaxKind.INCLUDED, Rounding.HALF_UP, (0, 0)),
        (TaxKind.INCLUDED, Rounding.UP, (1, 1)),
    ],
)
def test_rounding_belongs_to_the_component(kind: TaxKind, rounding: Rounding, expected: tuple[int, int]) -> None:
    """Of 5 and 4 cents, 0.5 and 0.4 are due, and 0.4545 and 0.3636 are contained."""
    tax = make_tax(kind=kind, rounding=rounding)
    due = [amounts(tax, lines=(Goods(FLOWER, base),)) for base in (5, 4)]
    assert tuple(found[0][1] if found else 0 for found in due) == expected


@many_examples
@given(weights=st.lists(st.integers(0, 10_000), max_size=8), data=st.data())
def test_parts_add_up_and_none_is_a_cent_from_its_share(weights: list[int], data: st.DataObject) -> None:
    whole = sum(weights)
    amount = data.draw(st.integers(0, whole))
    parts = money.apportion(amount, weights)
    assert sum(parts) == amount
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part - Fraction(amount * weight, whole or 1)) < 1
        assert 0 <= part <= weight


@many_examples
@given(made=components(), lines=goods, delivery=cents, discount=cents, credit=cents)
def test_amounts_follow_from_their_bases_and_bases_from_what_is_left(
    made: tuple[TaxComponent, ...], lines: list[Goods], delivery: int, discount: int, credit: int
) -> None:
    left = max(0, sum(line.cents for line in lines) + delivery - discount)
    by_code = {each.code: each for each in made}
    earlier = 0
    for tax in taxes.compute(made, lines, delivery_cents=delivery, discount_cents=discount, credit_cents=credit):
        component = by_code[tax.code]
        rate = Fraction(tax.basis_points, 10_000)
        exact = tax.base_cents * (rate if tax.kind is TaxKind.ADDED else rate / (1 + rate))
        if component.rounding is Rounding.UP:
            assert 0 <= tax.amount_cents - exact < 1
        else:
            assert Fraction(-1, 2) < tax.amount_cents - exact <= Fraction(1, 2)
        assert 0 < tax.base_cents <= left + earlier
        earlier += tax.amount_cents


@many_examples
@given(made=components(), lines=goods, delivery=cents, discount=cents, more=cents)
def test_a_tax_on_all_categories_never_rises_with_a_discount(
    made: tuple[TaxComponent, ...], lines: list[Goods], delivery: int, discount: int, more: int
) -> None:
    on_everything = [make_tax(code=each.code, basis_points=each.basis_points, base=each.base) for each in made]

    def due(reduction: int) -> dict[str, int]:
        found = taxes.compute(on_everything, lines, delivery_cents=delivery, discount_cents=reduction, credit_cents=0)
        return {tax.code: tax.amount_cents for tax in found}

    before, after = due(discount), due(discount + more)
    assert all(after.get(code, 0) <= amount for code, amount in before.items())
    assert after.keys() <= before.keys()


@many_examples
@given(
    made=components(),
    lines=goods,
    buyer=st.builds(Buyer, st.booleans(), st.booleans(), st.integers(0, 3_000_00)),
    promotion=cents,
    step=st.sampled_from((0, 1_00, 5_00)),
    least=st.integers(0, 50_00),
)
def test_whatever_is_taxed_the_lines_add_up_to_a_total_that_is_never_negative(
    made: tuple[TaxComponent, ...], lines: list[Goods], buyer: Buyer, promotion: int, step: int, least: int
) -> None:
    items = [Item(number, "Fern", 1, line.cents, 1, line.category) for number, line in enumerate(lines)]
    terms = Terms(taxes=made, minimum_due_cents=least, cash_rounding_cents=step)
    found = quote(items, terms, buyer, promotion_cents=promotion)
    before_credit = found.total_cents + found.cash_rounding_cents + found.credit_applied_cents
    assert sum(line.amount_cents for line in found.lines) == found.total_cents >= 0
    assert sum(tax.amount_cents for tax in found.taxes if tax.kind is TaxKind.ADDED) == found.tax_cents
    assert before_credit - found.tax_cents >= min(least, found.subtotal_cents + found.delivery_fee_cents)
