"""Labels of bags (RULE bag-labels)."""

import pytest
import segno
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.config import get_settings
from marketplace_app.limits import MAX_RUN_STOPS
from marketplace_app.models import Order, OrderStatus, Product, Role, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.recalls import RecallForm
from marketplace_app.schemas.dispatch.labels import BagLabel
from marketplace_app.services.batches import recalls
from marketplace_app.services.batches.of_orders import OrderRecalled
from marketplace_app.services.dispatch import label_pdf, labels
from marketplace_app.services.dispatch.runs import OrderEnded
from tests import pdfs
from tests.builders import make_batch, make_order, make_product, make_run, make_user, make_window, make_zone, slot_id
from tests.conftest import Cast
from tests.counting import count_statements
from tests.pdfs import PdfPage
from tests.services.buying.test_fulfilment import set_status
from tests.services.dispatch.test_runs import call, place

MILLIMETRES = 72 / 25.4
ADDRESS = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}
IN_PARTS = {"deliveryAddress": None, "address": ADDRESS}
LABEL = BagLabel(
    run_id=8,
    position=7,
    order_number=1042,
    customer_name="Alice",
    zip_code="97201",
    city="Portland",
    window_starts_at=None,
    window_ends_at=None,
    cash_cents=152_50,
    units=3,
    batch_codes=(),
    link="https://shop.test/drive?order=1042",
)


def drawn(*changes: dict[str, object]) -> list[PdfPage]:
    return pdfs.read(label_pdf.render([LABEL.model_copy(update=each) for each in changes]))


def pages_of_run(actor: User, run_id: int) -> list[PdfPage]:
    return pdfs.read(label_pdf.render(call(actor, labels.of_run, run_id)))


def modules(page: PdfPage) -> list[list[int]]:
    """The QR code as it was drawn."""
    left, bottom = min(box.left for box in page.boxes), min(box.bottom for box in page.boxes)
    size = page.boxes[0].height
    places = [(round((each.left - left) / size), round((each.bottom - bottom) / size)) for each in page.boxes]
    widths = [round(each.width / size) for each in page.boxes]
    dark = {(x + step, y) for (x, y), width in zip(places, widths, strict=True) for step in range(width)}
    last = max(x for x, _ in dark)
    return [[int((x, y) in dark) for x in range(last + 1)] for y in range(last, -1, -1)]


def test_a_label_has_what_is_needed_to_find_its_stop(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    window = make_window(session, make_zone(session, "97201"))
    session.commit()
    order_id = place(cast.alice, fern, **IN_PARTS, slotId=slot_id(window))
    order = session.get_one(Order, order_id)
    run = make_run(session, dora, make_order(session, cast.bob, 50_00), order)
    assert order.delivery is not None
    start = order.delivery.window_starts_at
    assert start is not None
    number, run_id, day = order.number, run.id, clock.show_weekday(start.astimezone(get_settings().timezone).date())
    session.commit()
    page = pages_of_run(cast.ada, run_id)[1]
    assert (page.width, page.height) == pytest.approx((100 * MILLIMETRES, 62 * MILLIMETRES), abs=0.01)
    assert page.texts == [
        "2",
        f"Order {number}",
        f"Run {run_id}, stop 2",
        "Alice",
        "97201 Portland",
        f"{day}, 5:00 PM to 7:00 PM",
        "$115.00 to collect",
        "1 unit",
    ]


def test_what_strangers_should_not_read_is_not_on_it(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    make_window(session, make_zone(session, "97201"))
    session.commit()
    order = session.get_one(Order, place(cast.alice, fern))
    assert order.delivery is not None
    secrets = (
        fern.name,
        get_settings().store_name,
        "Larch",
        order.contact_phone,
        order.delivery_instructions,
        order.payment_instructions,
        order.customer_email,
    )
    pin, run = order.delivery.door_pin, make_run(session, dora, order)
    session.commit()
    [page] = pages_of_run(cast.ada, run.id)
    text = "\n".join(page.texts)
    assert not any(secret in text for secret in secrets)
    assert pin not in page.texts
    assert page.texts[4] == "97201"  # of a joined address


@pytest.mark.parametrize("host", ["http://localhost:8000", "https://orders.a-store-with-a-long-name.example.com"])
def test_the_code_is_drawn_module_by_module_with_its_quiet_zone(host: str) -> None:
    link = f"{host}/drive?order=1042"
    [page] = drawn({"link": link})
    expected = segno.make(link, error="m", micro=False, boost_error=False)
    assert expected.error == "M"
    assert modules(page) == [list(row) for row in expected.matrix]
    quiet = 4 * page.boxes[0].height - 0.05
    assert max(line.left + line.width for line in page.lines) <= min(box.left for box in page.boxes) - quiet
    assert max(box.left + box.width for box in page.boxes) <= page.width - quiet
    assert min(box.bottom for box in page.boxes) >= quiet
    assert max(box.bottom + box.height for box in page.boxes) <= page.height - quiet


@pytest.mark.parametrize(
    "text", ["W" * 300, "Maria-Magdalena von der Leyen zu Hohenstein " * 3, "李小龍" * 30, "i\n" * 99]
)
def test_whatever_is_long_stays_within_its_lines(text: str) -> None:
    codes = tuple(f"{text.strip()[:50]}-{number}" for number in range(40))
    changes = {"order_number": 2**31 - 1, "run_id": 2**31 - 1, "position": 60, "cash_cents": 99_999_999}
    [page] = drawn({"customer_name": text, "city": text, "batch_codes": codes, "units": 99_999} | changes)
    assert len(page.lines) <= 10
    left = min(box.left for box in page.boxes)
    beside = [(line, other) for line in page.lines for other in page.lines if line.left < other.left]
    for line in page.lines:
        assert line.left + line.width <= left
        assert line.baseline > 3 * MILLIMETRES
    assert all(one.left + one.width < other.left or abs(one.baseline - other.baseline) > 10 for one, other in beside)
    assert len({line.baseline for line in page.lines}) == len(page.lines)


def test_what_does_not_fit_ends_in_an_ellipsis_and_unknown_letters_are_question_marks() -> None:
    [long, unknown] = drawn({"customer_name": "Bartholomew " * 9}, {"customer_name": "李 Łukasz \U0001f600"})
    assert len(long.texts) == len(unknown.texts) + 1
    assert long.texts[4].startswith("Bartholomew")
    assert long.texts[4].endswith("…")
    assert unknown.texts[3] == "? Łukasz ?"


def test_the_batches_of_an_order_are_named_without_those_that_are_not_known(
    session: Session, cast: Cast, dora: User
) -> None:
    product = make_product(session, "Amber Road", price_cents=120_00, stock=0)
    for code in ("B2", "Unknown", "A1"):
        make_batch(session, product, code, units=1)
    session.commit()
    order = place(cast.alice, product, items=[{"productId": product.id, "quantity": 3}])
    assert call(cast.ada, labels.of_order, order).batch_codes == ("A1", "B2")
    [some, many] = drawn({"batch_codes": ("A1", "B2")}, {"batch_codes": tuple(f"BATCH-{n:04}" for n in range(9))})
    assert some.texts[-1] == "3 units of 2 batches: A1, B2"
    assert many.texts[-2].startswith("3 units of 9 batches: BATCH-0000,")
    assert many.texts[-1].endswith("and more")


def test_the_label_of_one_order_is_there_before_its_run(
    session: Session, cast: Cast, dora: User, fern: Product
) -> None:
    order_id = place(cast.alice, fern)
    number = db.read(lambda s: s.get_one(Order, order_id).number)
    before = call(cast.ada, labels.of_order, order_id)
    assert (before.run_id, before.position) == (None, None)
    [page] = pdfs.read(label_pdf.render([before]))
    assert page.texts[:3] == ["–", f"Order {number}", "On no run yet"]
    run_id = make_run(session, dora, session.get_one(Order, order_id)).id
    session.commit()
    after = call(cast.ada, labels.of_order, order_id)
    assert (after.run_id, after.position, after.link) == (run_id, 1, before.link)
    assert after.link == f"{get_settings().public_url}/drive?order={number}"
    assert call(cast.ada, labels.of_run, run_id) == (after,)


def test_a_full_run_has_its_labels_in_order_by_a_few_statements(
    session: Session, engine: Engine, cast: Cast, dora: User
) -> None:
    orders = [make_order(session, cast.alice, 50_00) for _ in range(MAX_RUN_STOPS)]
    run, short = make_run(session, dora, *orders), make_run(session, dora, make_order(session, cast.alice, 50_00))
    session.commit()
    with count_statements(engine) as for_many:
        made = call(cast.ada, labels.of_run, run.id)
    with count_statements(engine) as for_one:
        call(cast.ada, labels.of_run, short.id)
    assert len(for_many) == len(for_one)
    pages = pdfs.read(label_pdf.render(made))
    assert [page.texts[0] for page in pages] == [str(number) for number in range(1, MAX_RUN_STOPS + 1)]
    assert [page.texts[1] for page in pages] == [f"Order {order.number}" for order in orders]


def test_what_is_not_handed_over_has_no_label(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    cancelled, delivered, failed = (place(who, fern) for who in (cast.alice, cast.bob, cast.alice))
    run = make_run(
        session, dora, *(session.get_one(Order, each) for each in (cancelled, delivered, failed)), is_out=True
    )
    session.commit()
    set_status(cast.ada, cancelled, OrderStatus.CANCELLED)
    assert [each.position for each in call(cast.ada, labels.of_run, run.id)] == [2, 3]
    set_status(cast.ada, delivered, OrderStatus.DELIVERED)
    set_status(cast.ada, failed, OrderStatus.CONFIRMED)
    with pytest.raises(labels.NothingToLabel):
        call(cast.ada, labels.of_run, run.id)
    for ended in (cancelled, delivered):
        with pytest.raises(OrderEnded):
            call(cast.ada, labels.of_order, ended)
    assert call(cast.ada, labels.of_order, failed).run_id is None
    session.get_one(Order, failed).deleted_at = clock.now()
    session.commit()
    with pytest.raises(errors.NotFound):
        call(cast.ada, labels.of_order, failed)


def test_an_order_with_recalled_units_has_no_label(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    product = make_product(session, "Amber Road", price_cents=120_00, stock=0)
    batch_id = make_batch(session, product, units=5).id
    session.commit()
    recalled, kept = place(cast.alice, product), place(cast.bob, fern)
    run_id = make_run(session, dora, *(session.get_one(Order, each) for each in (recalled, kept))).id
    session.commit()
    call(cast.ada, recalls.recall, parse(RecallForm, {"batchId": batch_id, "reason": "Mould"}))
    assert [each.position for each in call(cast.ada, labels.of_run, run_id)] == [2]
    with pytest.raises(OrderRecalled):
        call(cast.ada, labels.of_order, recalled)
    set_status(cast.ada, kept, OrderStatus.CANCELLED)
    with pytest.raises(labels.NothingToLabel, match="No order of this run may still be handed over"):
        call(cast.ada, labels.of_run, run_id)


def test_only_planners_get_labels(session: Session, cast: Cast, dora: User, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    run = make_run(session, dora, session.get_one(Order, order_id))
    viewer = make_user(session, "vera", role=Role.VIEWER)
    session.commit()
    for person in (viewer, cast.alice, dora):
        for operation, wanted in ((labels.of_run, run.id), (labels.of_order, order_id)):
            with pytest.raises(errors.NotAllowed):
                call(person, operation, wanted)
    with pytest.raises(errors.NotFound):
        call(cast.ada, labels.of_run, run.id + 1)
    with pytest.raises(errors.NotFound):
        call(cast.ada, labels.of_order, "unknown")
