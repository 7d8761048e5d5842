"""What the gallery shows: values of the types that the states hold, among them long and missing ones."""

from dataclasses import replace

import reflex as rx

from marketplace_app import delivery_messages, limits, packaging
from marketplace_app.display.labels import ORDER_HUES
from marketplace_app.models import OrderStatus
from marketplace_app.states.account.addresses import AddressRow
from marketplace_app.states.buying.cart import CartRow, LimitRow, QuoteRow
from marketplace_app.states.buying.checkout_form import FieldError
from marketplace_app.states.buying.delivery_rows import DeliveryTime
from marketplace_app.states.buying.orders import OwnOrderCard
from marketplace_app.states.products.catalogue_rows import FilterOption, ProductCard
from marketplace_app.states.products.recommendations import Pick

LONG_NAME = "Old Cedar Road Reserve, Slow-Cured Small-Batch Indica from the North Slope"
UNPHOTOGRAPHED = packaging.package_url("Unphotographed", "Accessories")
LONG_TEXT = (
    "Cedar and cold smoke at first, then dried plum and black tea; slow to start and slower to leave. Cured for sixty "
    "days in the dark, trimmed by hand and sealed the week it is packed, for the end of a long day."
)
LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"

_PLAIN = ProductCard(
    id=1,
    href="#cards",
    name="Fern Hollow",
    description="Cool pine over damp earth. A level-headed hybrid with a long, resinous finish.",
    subtitle="Hybrid · 22% THC",
    category="THC Flower",
    category_hue="purple",
    image="/pictures/fern-hollow",
    price="$48.00",
    rating="4.8",
    reviews="214",
    in_stock=True,
    is_featured=False,
)
_PICKS = [
    Pick(1, "#cards", "Fern Hollow", "Hybrid · 22% THC", "/pictures/fern-hollow", "$48.00", "Relaxed, Happy, Pine"),
    Pick(2, "#cards", LONG_NAME, "Indica · 100 mg THC", UNPHOTOGRAPHED, "$1,240.00", "For the evening"),
    Pick(
        3,
        "#cards",
        "First Light",
        "Sativa · 24% THC",
        "/pictures/first-light",
        "$14.00",
        "Your intensity, Energetic, Tropical",
    ),
]
CARDS = {
    "In stock": _PLAIN,
    "Adding": replace(
        _PLAIN,
        id=2,
        name="Blackberry Dusk",
        category="Edibles",
        category_hue="orange",
        image="/pictures/blackberry-dusk",
        subtitle="Indica · 100 mg THC",
        price="$28.00",
    ),
    "Out of stock": replace(
        _PLAIN,
        id=3,
        name="Moorland",
        category="Concentrates",
        category_hue="green",
        image="/pictures/moorland",
        in_stock=False,
    ),
    "Featured": replace(
        _PLAIN, id=4, name="Slow Honey", category_hue="green", image="/pictures/slow-honey", is_featured=True
    ),
    "Long name and text": replace(
        _PLAIN,
        id=5,
        name=LONG_NAME,
        description=LONG_TEXT,
        image="/pictures/old-cedar-road",
        subtitle="Full Oz (28g) · 26.75% THC",
        price="$1,240.00",
        rating="4.95",
        reviews="12034",
    ),
    "Without a picture": replace(
        _PLAIN,
        id=6,
        name="Unphotographed",
        category="Accessories",
        category_hue="grey",
        image=UNPHOTOGRAPHED,
        subtitle="Pre-Roll",
    ),
}


def cards(*, id_offset: int) -> dict[str, rx.Var[ProductCard]]:
    """The id of a card is part of its heading's id, so no two lists may have cards with the same ids."""
    return {case: rx.Var.create(replace(card, id=card.id + id_offset)) for case, card in CARDS.items()}


def picks(*, id_offset: int) -> rx.vars.ArrayVar[list[Pick]]:
    return rx.Var.create([replace(pick, id=pick.id + id_offset) for pick in _PICKS])


def cart_lines(*, id_offset: int) -> list[rx.Var[CartRow]]:
    return [rx.Var.create(replace(line, id=line.id + id_offset)) for line in _CART_LINES]


FILTERS = rx.Var.create(
    [
        FilterOption("Indica", "Indica", "14", True),
        FilterOption("Sativa", "Sativa", "11", False),
        FilterOption("long", "Eighth, hand trimmed and slowly cured (3.5g)", "1,204", False),
    ]
)
NO_FILTERS = rx.Var.create([]).to(list[FilterOption])

_CART_LINES = [
    CartRow(1, 1, "Fern Hollow", "Hybrid · 22% THC", "/pictures/fern-hollow", 2, "", "$48.00", "$96.00"),
    CartRow(
        2,
        2,
        LONG_NAME,
        "Indica · 26% THC",
        "/pictures/old-cedar-road",
        99,
        "At most 99 of one product.",
        "$240.00",
        "$23,760.00",
    ),
    CartRow(3, 3, "Unphotographed", "Pre-Roll", UNPHOTOGRAPHED, 1, "Only 1 left.", "$9.00", "$9.00"),
]
LIMITS = rx.Var.create(
    [
        LimitRow("Flower today: 12.5 g of 28.5 g. This cart adds 3.5 g.", 56, is_over=False),
        LimitRow("Concentrates today: 7 g of 8 g. This cart adds 2 g.", 100, is_over=True),
    ]
)
FITS = [
    ("Product within the limits", ""),
    ("Product over a limit for a day", "Over today's limit"),
    ("Over one for several days", "Over the limit for 30 days"),
]
"""A caption for each case, and the text of the mark on the product: none if the product fits."""
REFUSAL = "Flower: the law allows 28.5 g a day. This cart has 30 g. Please remove 1 of Fern Hollow."
QUOTE_LINES = rx.Var.create(
    [
        QuoteRow("subtotal", "Subtotal", "$144.00", False, ""),
        QuoteRow("delivery", "Delivery", "$25.00", False, "Free from $200."),
        QuoteRow("first_purchase", "First purchase, 25%", "−$36.00", True, "25% of the subtotal, on a first order."),
        QuoteRow("tax", "Excise tax, 15%", "$16.20", False, "Due where the order is delivered"),
        QuoteRow("credit", "Referral credit", "−$100.00", True, ""),
        QuoteRow("tax_included", "Includes sales tax of $8.20", "$0.00", False, "", is_note=True),
    ]
)

ADDRESSES = [
    rx.Var.create(AddressRow(1, "Home", "214 Larch Street, Portland, OR 97201", True)),
    rx.Var.create(
        AddressRow(2, LONG_WORD, "1180 Northeast Martin Luther King Junior Boulevard, Apartment 1204", False)
    ),
]

FACTS = rx.Var.create(
    [
        ("Type", "Eighth (3.5g)"),
        ("Potency", "Medium THC (20-25%)"),
        ("Availability", "In Stock"),
        ("Effects", "Calm, Clear-headed, Unhurried, At ease"),
        ("Brand", LONG_WORD),
    ]
).to(list[tuple[str, str]])


def field_errors(theme: str) -> rx.vars.ArrayVar[list[FieldError]]:
    return rx.Var.create(
        [
            FieldError(f"{theme}-zip", "Zip code", "Valid zip code is required"),
            FieldError(f"{theme}-city", "City", "City is required"),
        ]
    )


def _order(number: int, status: OrderStatus) -> OwnOrderCard:
    return OwnOrderCard(
        id=f"01JD0000000000000000{number}",
        short_id="4F7K2M9Q",
        number=str(number),
        status=status.value,
        status_label=status.label,
        status_hue=ORDER_HUES[status],
        total="$133.00",
        placed="Nov 20, 2026",
        payment="Cash on delivery",
        delivery_address="214 Larch Street, Portland, OR 97201",
        estimated_delivery="Nov 22, 2026, 11:40 AM",
        weekend_note="" if status.is_ended else delivery_messages.weekend_note(limits.WEEKEND_DELIVERY_HOURS),
        contact_phone="503 555 0142",
        contents="Fern Hollow × 3, Quiet Mint × 1",
    )


ORDERS = [rx.Var.create(_order(1041 + index, status)) for index, status in enumerate(OrderStatus)]
STATUSES = [(status.label, ORDER_HUES[status]) for status in OrderStatus]

DELIVERY_TIMES = rx.Var.create(
    [
        DeliveryTime("", "Any time within 48 hours", "", False),
        DeliveryTime("12-2026-11-27", "Fri, Nov 27, 5:00 PM to 7:00 PM", "Full", True),
        DeliveryTime("12-2026-11-28", "Sat, Nov 28, 11:00 AM to 1:00 PM", "2 left", False),
        DeliveryTime("12-2026-11-29", "Sun, Nov 29, 5:00 PM to 7:00 PM", "", False),
    ]
).to(list[DeliveryTime])
