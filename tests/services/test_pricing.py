"""The quote (RULE quote-formula): a pure function, tested rule by rule."""

import pytest

from marketplace_app.errors import AgeVerificationRequired, OutOfStock
from marketplace_app.limits import MAX_ORDER_CENTS
from marketplace_app.messages import EMPTY_CART
from marketplace_app.models import TaxKind
from marketplace_app.schemas.buying.quotes import Quote
from marketplace_app.schemas.jurisdictions.state_rules import TaxComponent
from marketplace_app.services.pricing import Buyer, Item, Terms, quote
from tests.builders import make_tax

NEWCOMER = Buyer(is_first_purchase=True)
REFERRED = Buyer(is_first_purchase=True, has_referral_bonus=True)
REGULAR = Buyer()
SALES = make_tax(code="sales", label="Sales tax", basis_points=8_37)
"""$8.37 on $100.00."""
EXCISE = make_tax(code="excise", label="Excise tax", basis_points=15_00, base=("items", "delivery"))


def quote_of(subtotal_cents: int, buyer: Buyer = REGULAR, terms: Terms | None = None) -> Quote:
    return quote([Item(1, "Fern Hollow", 1, subtotal_cents, available=5)], terms or Terms(), buyer)


@pytest.mark.parametrize(
    ("subtotal", "buyer", "fee", "discount", "referral", "total"),
    [
        (100_00, REGULAR, 25_00, 0, 0, 125_00),
        (199_99, REGULAR, 25_00, 0, 0, 224_99),
        (200_00, REGULAR, 0, 0, 0, 200_00),
        (170_00, REFERRED, 25_00, 42_50, 100_00, 52_50),
        (100_00, REFERRED, 25_00, 25_00, 100_00, 0),
        (400_00, REFERRED, 0, 100_00, 100_00, 200_00),
        (110_02, NEWCOMER, 25_00, 27_51, 0, 107_51),  # 27.505 rounds half up
        (110_01, NEWCOMER, 25_00, 27_50, 0, 107_51),
    ],
)
def test_total_is_subtotal_plus_fee_less_discounts(
    subtotal: int, buyer: Buyer, fee: int, discount: int, referral: int, total: int
) -> None:
    made = quote_of(subtotal, buyer)
    assert (made.delivery_fee_cents, made.new_customer_discount_cents) == (fee, discount)
    assert (made.referral_discount_cents, made.total_cents) == (referral, total)


def test_the_referral_line_is_capped_so_that_the_total_is_never_below_zero() -> None:
    made = quote_of(60_00, REFERRED, Terms(delivery_fee_cents=0, first_purchase_percent=50))
    assert (made.new_customer_discount_cents, made.referral_discount_cents, made.total_cents) == (30_00, 30_00, 0)


def test_referral_is_at_most_the_subtotal() -> None:
    assert quote_of(40_00, Buyer(has_referral_bonus=True)).referral_discount_cents == 40_00


def test_credit_pays_at_most_what_is_left() -> None:
    made = quote_of(120_00, Buyer(credit_cents=500_00))
    assert (made.credit_applied_cents, made.total_cents) == (145_00, 0)


@pytest.mark.parametrize("buyer", [REGULAR, NEWCOMER, REFERRED, Buyer(True, True, 30_00)])
@pytest.mark.parametrize("subtotal", [1, 99_99, 100_00, 133_33, 199_99, 200_00, 1234_56])
def test_the_lines_add_up_to_the_total(subtotal: int, buyer: Buyer) -> None:
    made = quote_of(subtotal, buyer)
    assert sum(line.amount_cents for line in made.lines) == made.total_cents >= 0


def test_all_blockers_are_reported_at_once() -> None:
    made = quote([Item(1, "Fern Hollow", 3, 10_00, available=2)], Terms(), Buyer(is_age_verified=False))
    assert [blocker.code for blocker in made.blockers] == ["age_verification_required", "minimum_order", "out_of_stock"]
    assert made.blockers[1].message == "Minimum order amount is $100.00. Please add more items to your cart."


@pytest.mark.parametrize(("subtotal", "codes"), [(MAX_ORDER_CENTS, []), (MAX_ORDER_CENTS + 1, ["order_too_large"])])
def test_an_order_above_the_maximum_amount_is_blocked(subtotal: int, codes: list[str]) -> None:
    assert [blocker.code for blocker in quote_of(subtotal).blockers] == codes


def test_an_empty_cart_costs_nothing() -> None:
    made = quote([], Terms(), REFERRED)
    assert made.total_cents == 0
    assert [blocker.code for blocker in made.blockers] == ["empty_cart"]


def test_the_wire_form_names_every_line() -> None:
    lines = quote_of(170_00, REFERRED).wire()["lines"]
    assert [line["code"] for line in lines] == ["subtotal", "delivery", "first_purchase", "referral"]
    assert lines[2] == {
        "code": "first_purchase",
        "label": "First purchase, 25%",
        "base": "170.00",
        "rate": "0.25",
        "amount": "-42.50",
        "reason": "Applied automatically to a first purchase",
    }


@pytest.mark.parametrize(
    ("buyer", "step", "offered", "taxes", "promotion", "tax", "credit", "rounding", "total"),
    [
        (REGULAR, 0, 0, (), 0, 0, 0, 0, 125_00),
        (REGULAR, 0, 0, (SALES,), 0, 8_37, 0, 0, 133_37),
        (REGULAR, 5_00, 0, (SALES,), 0, 8_37, 0, 3_37, 130_00),
        (REGULAR, 0, 20_00, (SALES,), 20_00, 6_70, 0, 0, 111_70),
        (REFERRED, 0, 20_00, (SALES,), 0, 0, 0, 0, 0),
        (NEWCOMER, 0, 80_00, (SALES,), 80_00, 0, 0, 0, 20_00),
        (Buyer(credit_cents=500_00), 0, 0, (SALES,), 0, 8_37, 133_37, 0, 0),
        (Buyer(credit_cents=50_01), 1_00, 0, (SALES,), 0, 8_37, 50_01, 36, 83_00),
        (REGULAR, 5_00, 0, (), 0, 0, 0, 0, 125_00),
        (Buyer(credit_cents=124_00), 5_00, 0, (), 0, 0, 124_00, 1_00, 0),
    ],
)
def test_tax_follows_the_discounts_then_credit_pays_and_the_rest_is_rounded_down(
    buyer: Buyer,
    step: int,
    offered: int,
    taxes: tuple[TaxComponent, ...],
    promotion: int,
    tax: int,
    credit: int,
    rounding: int,
    total: int,
) -> None:
    one = [Item(1, "Fern Hollow", 1, 100_00, available=5)]
    made = quote(one, Terms(taxes=taxes, cash_rounding_cents=step), buyer, promotion_cents=offered)
    assert (made.promotion_discount_cents, made.tax_cents) == (promotion, tax)
    assert (made.credit_applied_cents, made.cash_rounding_cents, made.total_cents) == (credit, rounding, total)
    assert sum(line.amount_cents for line in made.lines) == total


def test_lines_follow_the_formula_and_lines_of_zero_are_left_out_except_delivery() -> None:
    one = [Item(1, "Fern Hollow", 1, 200_00, available=5)]
    terms = Terms(
        taxes=(SALES, make_tax(code="excise", basis_points=15_00, kind=TaxKind.INCLUDED)), cash_rounding_cents=5_00
    )
    all_of_them = quote(one, terms, Buyer(True, True, 10_00), promotion_cents=5_00)
    assert [line.code for line in all_of_them.lines] == [
        "subtotal",
        "delivery",
        "first_purchase",
        "referral",
        "promotion",
        "tax",
        "credit",
        "rounding",
        "tax_included",
    ]
    assert [line.code for line in quote(one, Terms(), REGULAR).lines] == ["subtotal", "delivery"]


def test_each_line_says_what_it_is_of_and_why() -> None:
    one = [Item(1, "Fern Hollow", 1, 170_00, available=5)]
    made = quote(one, Terms(), Buyer(True, True, 30_00), promotion_cents=5_00)
    assert [(line.code, line.label, line.base_cents, line.rate, line.amount_cents) for line in made.lines] == [
        ("subtotal", "Subtotal", 170_00, None, 170_00),
        ("delivery", "Delivery", 170_00, None, 25_00),
        ("first_purchase", "First purchase, 25%", 170_00, "0.25", -42_50),
        ("referral", "Referral", 170_00, None, -100_00),
        ("promotion", "Promotion", 170_00, None, -5_00),
        ("credit", "Referral credit", 30_00, None, -30_00),
    ]
    assert [line.reason for line in made.lines] == [
        "1 item",
        "Free at $200 or more",
        "Applied automatically to a first purchase",
        "You were referred by a friend",
        "Applied automatically",
        "Spent from your credit",
    ]


def test_free_delivery_says_from_which_amount_and_several_items_are_counted() -> None:
    made = quote([Item(1, "Fern Hollow", 2, 60_00, 5), Item(2, "Dune", 1, 80_00, 5)], Terms(), REGULAR)
    assert [line.reason for line in made.lines] == ["3 items", "Free: $200 or more"]


@pytest.mark.parametrize("subtotal", [100_00, 200_00])
def test_a_delivery_without_a_fee_is_free_from_any_amount(subtotal: int) -> None:
    made = quote_of(subtotal, terms=Terms(delivery_fee_cents=0))
    assert [(line.amount_cents, line.reason) for line in made.lines if line.code == "delivery"] == [(0, "Free")]


def test_the_minimum_order_and_all_that_is_in_stock_can_be_bought() -> None:
    terms = Terms(minimum_order_cents=100_00)
    assert quote([Item(1, "Fern Hollow", 2, 50_00, available=2)], terms, REGULAR).blockers == ()
    assert [each.code for each in quote_of(99_99, terms=terms).blockers] == ["minimum_order"]


def test_a_blocker_has_the_sentence_of_its_error() -> None:
    asked = [Item(1, "Fern Hollow", 3, 60_00, available=2)]
    made = quote(asked, Terms(), Buyer(is_age_verified=False))
    assert [(each.code, each.message) for each in made.blockers] == [
        (AgeVerificationRequired.code, AgeVerificationRequired.message),
        (OutOfStock.code, OutOfStock("Fern Hollow", 2).message),
    ]
    assert quote([], Terms(), REGULAR).blockers[0].message == EMPTY_CART.text


def test_credit_below_zero_is_not_a_surcharge() -> None:
    assert quote_of(120_00, Buyer(credit_cents=-5_00)).total_cents == 145_00


def test_each_added_tax_is_a_line_with_its_rate_and_an_included_one_is_stated_below_the_total() -> None:
    included = make_tax(code="local", label="Local tax", basis_points=3_00, kind=TaxKind.INCLUDED)
    made = quote_of(100_00, terms=Terms(taxes=(EXCISE, SALES, included)))
    shown = [(line.code, line.label, line.base_cents, line.rate, line.amount_cents) for line in made.lines[2:]]
    assert shown == [
        ("tax", "Excise tax, 15%", 125_00, "0.15", 18_75),
        ("tax", "Sales tax, 8.37%", 100_00, "0.0837", 8_37),
        ("tax_included", "Includes local tax of $2.91", 100_00, "0.03", 0),
    ]
    assert (made.tax_cents, made.total_cents) == (27_12, 152_12)
    assert sum(line.amount_cents for line in made.lines) == made.total_cents


def test_the_wire_form_has_taxes_only_where_there_are_any() -> None:
    assert "taxes" not in quote_of(100_00).wire()
    made = quote_of(100_00, terms=Terms(taxes=(EXCISE,)))
    assert made.wire()["taxes"] == [
        {
            "code": "excise",
            "label": "Excise tax",
            "kind": "added",
            "rate": "0.15",
            "base": "125.00",
            "amount": "18.75",
        }
    ]
    assert Quote.model_validate(made.wire()) == made


def test_a_tax_of_nothing_has_no_line() -> None:
    made = quote_of(100_00, terms=Terms(taxes=(make_tax(categories=frozenset({"Edibles"})),)))
    assert ([line.code for line in made.lines], made.taxes) == (["subtotal", "delivery"], ())


def test_the_order_of_products_in_a_cart_does_not_change_their_taxes() -> None:
    """Both have the same remainder when the referral is divided: if unsorted, a cent would depend on which is first."""
    two = [Item(1, "Fern Hollow", 1, 33_33, 5, "Edibles"), Item(2, "Dune", 1, 33_33, 5, "THC Flower")]
    tax = make_tax(basis_points=100_00, categories=frozenset({"Edibles"}))
    terms = Terms(taxes=(tax,), referral_discount_cents=1)
    buyer = Buyer(has_referral_bonus=True)
    assert quote(two, terms, buyer).tax_cents == quote(two[::-1], terms, buyer).tax_cents == 33_32


@pytest.mark.parametrize(
    ("subtotal", "buyer", "promotion", "amounts", "capped"),
    [
        (100_00, REFERRED, 0, (25_00, 99_00, 0), ["referral"]),
        (100_00, REFERRED, 20_00, (25_00, 99_00, 0), ["referral"]),
        (110_00, REFERRED, 20_00, (27_50, 100_00, 6_50), ["promotion"]),
        (108_00, REFERRED, 0, (27_00, 100_00, 0), []),
        (100_00, NEWCOMER, 200_00, (25_00, 0, 99_00), ["promotion"]),
        (50, REGULAR, 0, (0, 0, 0), []),
    ],
)
def test_discounts_leave_the_minimum_due_and_their_line_says_why(
    subtotal: int, buyer: Buyer, promotion: int, amounts: tuple[int, int, int], capped: list[str]
) -> None:
    terms = Terms(minimum_due_cents=1_00)
    one = [Item(1, "Fern Hollow", 1, subtotal, available=5)]
    made = quote(one, terms, buyer, promotion_cents=promotion)
    given = made.new_customer_discount_cents, made.referral_discount_cents, made.promotion_discount_cents
    assert (given, made.total_cents) == (amounts, subtotal + 25_00 - sum(amounts))
    assert made.total_cents >= 1_00
    reason = "By the rules of your state, at least $1.00 is due"
    assert [line.code for line in made.lines if line.reason.endswith(reason)] == capped


def test_a_minimum_due_above_what_the_order_costs_leaves_no_discount() -> None:
    terms = Terms(minimum_due_cents=200_00)
    assert quote_of(100_00, REFERRED, terms).total_cents == 125_00


def test_credit_pays_the_minimum_due() -> None:
    buyer = Buyer(is_first_purchase=True, has_referral_bonus=True, credit_cents=5_00)
    made = quote_of(100_00, buyer, Terms(minimum_due_cents=1_00))
    assert (made.credit_applied_cents, made.total_cents) == (1_00, 0)


@pytest.mark.parametrize(
    ("least", "credit", "rounding"), [(0, 0, 3_35), (100_00, 0, 3_35), (101_00, 0, 0), (0, 2_00, 1_35)]
)
def test_rounding_leaves_the_minimum_due(least: int, credit: int, rounding: int) -> None:
    one = [Item(1, "Fern Hollow", 1, 103_35, available=5)]
    terms = Terms(delivery_fee_cents=0, minimum_due_cents=least, cash_rounding_cents=5_00)
    assert quote(one, terms, Buyer(credit_cents=credit)).cash_rounding_cents == rounding
