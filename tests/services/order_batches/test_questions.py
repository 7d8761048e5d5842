"""'May we pack another batch?': asked by staff, answered by the customer (RULE batch-question)."""

from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import Engine, delete, insert, select, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.adapters import live
from marketplace_app.errors import NotFound
from marketplace_app.models import (
    AuditEntry,
    BatchQuestion,
    OrderStatus,
    OutboxMessage,
    Product,
    QuestionOutcome,
    User,
    Zone,
)
from marketplace_app.models.base import table_of
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import UnitsForm
from marketplace_app.schemas.batches.recalls import RecallForm
from marketplace_app.schemas.buying.order_batches import AnswerForm, BatchQuestionView, SwapForm
from marketplace_app.services import mails, privacy
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.batches import keeping, recalls, swaps
from marketplace_app.services.buying import own_orders
from marketplace_app.services.order_batches import picking, questions
from tests.builders import make_batch, make_product, make_zone
from tests.conftest import Cast, SignIn
from tests.services.batches.test_of_orders import HOLD_FORM, batch_id, broken, counts, day, set_status, units_by_batch
from tests.services.batches.test_swaps import order_of
from tests.services.order_batches.test_wishes import place
from tests.services.test_races import at_once

YES, NO, LAPSED = QuestionOutcome


@pytest.fixture
def fern(session: Session) -> Product:
    """`A1` is sold first; `B1` is within two points of it, `C1` is not."""
    make_zone(session, "97201")
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=0)
    for days, (code, thc) in enumerate((("A1", 20.4), ("B1", 22.4), ("C1", 25.0)), start=10):
        make_batch(session, product, code, units=5, expires_on=day(days), thc_percent=thc)
    session.commit()
    return product


def pick(engine: Engine, cast: Cast, product: Product, order: str, after: str = "C1", before: str = "A1") -> bool:
    """Whether the customer is asked."""
    form = parse(SwapForm, {"fromBatchId": batch_id(engine, before), "toBatchId": batch_id(engine, after)})
    return db.write(lambda s: picking.change(s, s.get(User, cast.ada.id), order, product.id, form)).is_asked


def asked_of(order: str) -> list[BatchQuestionView]:
    return [*db.read(lambda s: questions.of_order(s, order))]


def answer(who: User, order: str, question: int, given: str) -> QuestionOutcome | None:
    form = parse(AnswerForm, {"answer": given})
    return db.write(lambda s: questions.answer(s, s.get(User, who.id), order, question, form)).outcome


def asking(engine: Engine, cast: Cast, product: Product, **order: Any) -> tuple[str, int]:
    """An order whose customer is asked whether `C1` may be packed in place of `A1`."""
    made = order_of(cast.alice, product, **({"wish": "ask"} | order))
    assert pick(engine, cast, product, made)
    return made, asked_of(made)[-1].id


def as_owner(cast: Cast, act: Any, *arguments: Any) -> None:
    db.write(lambda s: act(s, s.get(User, cast.ada.id), *arguments))


@pytest.mark.parametrize(
    ("wish", "after", "is_asked"),
    [("any", "C1", False), ("close", "B1", False), ("close", "C1", True), ("ask", "B1", True)],
)
def test_the_customer_is_asked_as_they_wished(
    engine: Engine, cast: Cast, fern: Product, wish: str, after: str, is_asked: bool
) -> None:
    order = order_of(cast.alice, fern, wish=wish)
    assert pick(engine, cast, fern, order, after) is is_asked
    assert units_by_batch(engine, order) == ({"A1": 2} if is_asked else {after: 2})
    assert len(asked_of(order)) == is_asked
    assert broken(engine) == []


def test_a_batch_of_unknown_thc_is_asked_about(engine: Engine, session: Session, cast: Cast, fern: Product) -> None:
    make_batch(session, fern, "NONE", units=5)
    session.commit()
    order = order_of(cast.alice, fern, wish="close")
    first = batch_id(engine, "A1")
    choices = db.read(lambda s: picking.list_choices(s, cast.ada, order, fern.id, first))
    assert {each.code: each.asks for each in choices.others} == {"B1": False, "C1": True, "NONE": True}
    assert pick(engine, cast, fern, order, "NONE")


def test_an_order_without_a_zone_keeps_no_wish_so_its_customer_is_asked(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    session.execute(delete(Zone))
    session.commit()
    order = str(place(cast.alice, (fern, 2), substitution="any")["id"])
    assert pick(engine, cast, fern, order)


def test_a_question_is_kept_mailed_announced_and_audited(
    engine: Engine, session: Session, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(picking.announcements, "publish", lambda _, topic: sent.append(topic))
    order, number = asking(engine, cast, fern)
    assert sent[-2:] == [live.user(cast.alice.id), live.STAFF]
    (view,) = asked_of(order)
    assert (view.product, view.units, view.from_code, view.to_code) == ("Fern Hollow", 2, "A1", "C1")
    assert (view.from_thc_percent, view.to_thc_percent, view.outcome, view.ended_at) == (20.4, 25.0, None, None)
    assert session.get_one(BatchQuestion, number).asked_by_id == cast.ada.id
    queued = session.execute(select(OutboxMessage).where(col(OutboxMessage.kind) == "batch_question")).scalar_one()
    mail = mails.compose(session, queued.kind, queued.payload)
    assert queued.recipient == cast.alice.email
    assert mail is not None
    assert "Fern" not in mail.subject
    for said in ("Fern Hollow", "batch A1 (THC 20.4%)", "batch C1 (THC 25%)", f"/orders/{order}"):
        assert said in mail.plain()
    entry = session.execute(select(AuditEntry).where(col(AuditEntry.action) == "order.batch_asked")).scalar_one()
    assert (entry.actor_id, entry.details) == (cast.ada.id, {"before": "A1", "code": "C1", "units": 2})
    session.commit()
    answer(cast.alice, order, number, "no")
    session.refresh(session.get_one(BatchQuestion, number))
    assert mails.compose(session, queued.kind, queued.payload) is None


@pytest.mark.parametrize(("given", "held"), [("yes", {"C1": 2}), ("no", {"A1": 2})])
def test_an_answer_swaps_or_changes_nothing_and_can_be_repeated(
    engine: Engine, cast: Cast, fern: Product, given: str, held: dict[str, int]
) -> None:
    order, number = asking(engine, cast, fern)
    for _ in range(2):
        assert answer(cast.alice, order, number, given) == given
        assert units_by_batch(engine, order) == held
    with pytest.raises(questions.QuestionEnded):
        answer(cast.alice, order, number, "no" if given == "yes" else "yes")
    assert units_by_batch(engine, order) == held
    assert broken(engine) == []
    with Session(engine) as session:
        answered = select(AuditEntry).where(col(AuditEntry.action) == "order.batch_answered")
        (entry,) = session.execute(answered).scalars()
        assert entry.details == {"outcome": given, "before": "A1", "code": "C1", "units": 2}


def test_nobody_answers_for_somebody_else(engine: Engine, cast: Cast, fern: Product) -> None:
    order, number = asking(engine, cast, fern)
    other = order_of(cast.bob, fern, 1, "ask")
    for who, order_id in ((cast.bob, order), (cast.bob, other), (cast.ada, order)):
        with pytest.raises(NotFound):
            answer(who, order_id, number, "yes")
    with pytest.raises(NotFound):
        db.read(lambda s: questions.list_own(s, cast.bob, order))
    with pytest.raises(NotFound):
        answer(cast.alice, order, number + 1, "yes")
    assert units_by_batch(engine, order) == {"A1": 2}


def test_a_line_has_one_open_question(engine: Engine, cast: Cast, fern: Product) -> None:
    order, number = asking(engine, cast, fern)
    for after in ("B1", "C1"):
        with pytest.raises(questions.AlreadyAsked):
            pick(engine, cast, fern, order, after)
    with Session(engine) as fresh:
        row = fresh.get_one(BatchQuestion, number).model_dump(exclude={"id"})
        with pytest.raises(IntegrityError):
            fresh.execute(insert(table_of(BatchQuestion)), row)
    answer(cast.alice, order, number, "no")
    assert pick(engine, cast, fern, order, "B1")
    assert [each.outcome for each in asked_of(order)] == [NO, None]


def test_yes_to_a_batch_that_has_too_few_units_by_then_ends_the_question(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    order, number = asking(engine, cast, fern)
    as_owner(cast, keeping.correct, batch_id(engine, "C1"), parse(UnitsForm, {"change": -4, "note": "Broken"}))
    assert answer(cast.alice, order, number, "yes") is LAPSED
    assert units_by_batch(engine, order) == {"A1": 2}
    with pytest.raises(questions.QuestionEnded):
        answer(cast.alice, order, number, "yes")
    assert broken(engine) == []


def test_yes_to_a_batch_that_expired_a_moment_ago_ends_the_question(
    engine: Engine, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    order, number = asking(engine, cast, fern)
    later = day(60)
    monkeypatch.setattr(swaps, "today", lambda: later)
    assert answer(cast.alice, order, number, "yes") is LAPSED
    assert units_by_batch(engine, order) == {"A1": 2}


def test_a_recalled_order_may_be_handed_over_after_a_yes(engine: Engine, cast: Cast, fern: Product) -> None:
    order, number = asking(engine, cast, fern)
    as_owner(cast, recalls.recall, parse(RecallForm, {"batchId": batch_id(engine, "A1"), "reason": "Mould"}))
    assert answer(cast.alice, order, number, "yes") is YES
    assert {code: counts(engine)[code] for code in ("A1", "C1")} == {"A1": (0, 5), "C1": (3, 0)}
    set_status(cast, order, OrderStatus.OUT_FOR_DELIVERY)
    assert broken(engine) == []


def test_a_cancelled_order_gives_back_what_it_got_by_an_answer(engine: Engine, cast: Cast, fern: Product) -> None:
    order, number = asking(engine, cast, fern)
    answer(cast.alice, order, number, "yes")
    db.write(lambda s: own_orders.cancel(s, s.get(User, cast.alice.id), order))
    assert counts(engine) == {"A1": (5, 0), "B1": (5, 0), "C1": (5, 0)}
    assert broken(engine) == []


def test_staff_see_the_question_and_its_answer_with_the_order(engine: Engine, cast: Cast, fern: Product) -> None:
    order, number = asking(engine, cast, fern)

    def seen() -> list[QuestionOutcome | None]:
        return [each.outcome for each in db.read(lambda s: admin_orders.get(s, cast.ada, order)).questions]

    assert seen() == [None]
    answer(cast.alice, order, number, "yes")
    assert seen() == [YES]
    set_status(cast, order, OrderStatus.CANCELLED)
    assert seen() == [YES]


def test_customers_own_data_have_their_questions_and_answers_and_erasure_ends_them(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    assert "batchQuestions" not in db.read(lambda s: privacy.export(s, cast.alice))
    order, number = asking(engine, cast, fern)
    answer(cast.alice, order, number, "no")
    assert pick(engine, cast, fern, order, "B1")
    first, second = db.read(lambda s: privacy.export(s, cast.alice))["batchQuestions"]
    assert (first["toCode"], first["outcome"], second["toCode"], second["outcome"]) == ("C1", "no", "B1", None)
    assert first["orderNumber"] > 1000
    assert "batchQuestions" not in db.read(lambda s: privacy.export(s, cast.bob))
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    assert [each.outcome for each in asked_of(order)] == [NO, LAPSED]
    assert broken(engine) == []


def test_an_open_question_that_cannot_be_answered_is_found(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    _, number = asking(engine, cast, fern)
    session.get_one(BatchQuestion, number).units = 1
    session.commit()
    (found,) = broken(engine)
    assert "an open question for another batch can be answered" in found


@pytest.mark.race
def test_two_answers_at_once_are_one(engine: Engine, cast: Cast, fern: Product) -> None:
    order, number = asking(engine, cast, fern)
    given = ("yes", "no") * 4
    answers = at_once([lambda each=each: answer(cast.alice, order, number, each) for each in given])
    outcome = asked_of(order)[0].outcome
    assert outcome in (YES, NO)
    refused = [isinstance(each, questions.QuestionEnded) for each in answers]
    assert refused == [each != outcome for each in given]
    assert units_by_batch(engine, order) == ({"C1": 2} if outcome is YES else {"A1": 2})
    assert broken(engine) == []


@pytest.mark.race
def test_an_answer_and_a_hold_at_once_leave_the_books_in_order(engine: Engine, cast: Cast, fern: Product) -> None:
    order, number = asking(engine, cast, fern)
    offered = batch_id(engine, "C1")
    at_once(
        [lambda: answer(cast.alice, order, number, "yes"), lambda: as_owner(cast, keeping.hold, offered, HOLD_FORM)]
    )
    outcome = asked_of(order)[0].outcome
    assert units_by_batch(engine, order) == ({"C1": 2} if outcome is YES else {"A1": 2})
    assert broken(engine) == []


@pytest.mark.race
def test_control_an_answer_that_is_read_and_then_written_swaps_twice(engine: Engine, cast: Cast, fern: Product) -> None:
    """Reading in one transaction and writing in another, as a store would that locks nothing."""
    _, number = asking(engine, cast, fern)
    start = Barrier(2)
    taken = text("UPDATE batches SET units = units - 2 WHERE code = 'C1'")

    def say_yes() -> None:
        is_open = db.read(lambda s: s.get_one(BatchQuestion, number).outcome is None)
        start.wait()
        if is_open:
            db.write(lambda s: s.execute(taken))

    at_once([say_yes] * 2)
    assert counts(engine)["C1"] == (1, 0), "the two units were taken twice"


def test_a_question_is_asked_and_answered_over_rest(
    engine: Engine, session: Session, cast: Cast, fern: Product, as_user: SignIn
) -> None:
    order = order_of(cast.alice, fern, wish="ask")
    swap = {"fromBatchId": batch_id(engine, "A1"), "toBatchId": batch_id(engine, "C1")}
    order_path = f"/api/admin/orders/{order}"
    asked = as_user(cast.ada).post(f"{order_path}/lines/{fern.id}/batch", json=swap)
    assert (asked.status_code, asked.json()["isAsked"], asked.json()["batches"][0]["code"]) == (200, True, "A1")
    again = as_user(cast.ada).post(f"{order_path}/lines/{fern.id}/batch", json=swap)
    assert (again.status_code, again.json()["code"]) == (409, "already_asked")
    (question,) = as_user(cast.alice).get(f"/api/orders/{order}/batch-questions").json()
    assert (question["fromCode"], question["toCode"], question["outcome"]) == ("A1", "C1", None)
    question_path = f"/api/orders/{order}/batch-questions/{question['id']}"
    for wrong in ("lapsed", "perhaps", None):
        refused = as_user(cast.alice).post(question_path, json={"answer": wrong})
        assert (refused.status_code, refused.json()["fields"]) == (422, {"answer": "The answer is 'yes' or 'no'."})
    assert as_user(cast.bob).post(question_path, json={"answer": "yes"}).status_code == 404
    assert as_user(cast.alice).post(question_path, json={"answer": "yes"}).json()["outcome"] == "yes"
    ended = as_user(cast.alice).post(question_path, json={"answer": "no"})
    assert (ended.status_code, ended.json()["code"]) == (409, "question_ended")
    shown = as_user(cast.ada).get(order_path).json()
    assert (shown["batches"][0]["code"], shown["batchQuestions"][0]["outcome"]) == ("C1", "yes")
    swap = {"fromBatchId": swap["toBatchId"], "toBatchId": swap["fromBatchId"]}
    unknown = as_user(cast.ada).post(f"{order_path}/lines/987654/batch", json=swap)
    assert unknown.status_code == 404
    set_status(cast, order, OrderStatus.OUT_FOR_DELIVERY)
    late = as_user(cast.ada).post(f"{order_path}/lines/{fern.id}/batch", json=swap)
    assert (late.status_code, late.json()["code"]) == (409, "order_out")
