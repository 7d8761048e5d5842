"""Erasure and bans beside writes of the same person. Two tests are controls: without the locks, data of somebody who is
gone is left, or a race is lost."""

from collections.abc import Callable
from threading import Barrier, Event, Thread
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app import db, errors
from marketplace_app.auth import acting
from marketplace_app.models import Preferences, User
from marketplace_app.schemas.account.preferences import PreferencesForm
from marketplace_app.schemas.admin.users import BanForm
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.schemas.tickets import TicketForm
from marketplace_app.services import accounts, invariants, privacy, sessions
from marketplace_app.services.account import preferences
from marketplace_app.services.admin import user_actions
from marketplace_app.services.buying import cart, fulfilment, orders
from marketplace_app.services.support import tickets
from tests.builders import make_product, order_form
from tests.conftest import Cast
from tests.services.dispatch.test_run_races import lost_races, pause_status_changes, when_paused
from tests.services.test_races import at_once, placing, shoppers

__all__ = ["lost_races"]  # fixtures, which tests take by name
pytestmark = [pytest.mark.race, pytest.mark.attack("writes beside an erasure or a ban")]
ERASED = "no personal data of erased accounts is left"
PREFERENCES = parse(PreferencesForm, {"desiredIntensity": 5})
TICKET = parse(TicketForm, {"subject": "Where is it?", "message": "My order has not come."})
Write = Callable[[str], Callable[[], Any]]


def signed_in(who: User) -> str:
    return db.write(lambda s: sessions.start(s, s.get_one(User, who.id)))


def left_over() -> tuple[str, ...]:
    return db.read(lambda s: next(each.examples for each in invariants.check(s) if each.name == ERASED))


@pytest.mark.parametrize("act", ["cart", "preferences", "ticket", "sign in"])
def test_a_write_beside_an_erasure_leaves_nothing(session: Session, act: str) -> None:
    product, people = make_product(session, stock=500), shoppers(session, 12)
    form = AddForm(productId=product.id)

    def writing(token: str, who: User) -> Callable[[], Any]:
        identity = accounts.Identity(who.issuer, who.subject, who.verified_email, is_email_verified=True)
        acts: dict[str, Callable[[], Any]] = {
            "cart": lambda: acting.write(token, cart.add, form),
            "preferences": lambda: acting.write(token, preferences.save, PREFERENCES),
            "ticket": lambda: acting.write(token, tickets.create, TICKET),
            "sign in": lambda: db.write(lambda s: accounts.sign_in(s, identity, is_age_verified=False)),
        }
        return acts[act]

    def leaving(token: str) -> Callable[[], Any]:
        return lambda: acting.write(token, privacy.erase)

    calls = []
    for who in people:
        token = signed_in(who)
        calls += [writing(token, who), leaving(token), writing(token, who)]
    erasures = at_once(calls)[1::3]
    assert erasures == [None] * len(people)
    assert left_over() == ()


def test_control_a_write_without_the_lock_leaves_preferences(session: Session) -> None:
    (who,) = shoppers(session, 1)
    token, has_read, has_left = signed_in(who), Event(), Event()

    def naive() -> None:
        user = db.read(lambda s: sessions.identify(s, token).user)
        assert user is not None
        has_read.set()
        assert has_left.wait(10)
        db.write(lambda s: s.add(Preferences(user_id=user.id)))

    writer = Thread(target=naive)
    writer.start()
    assert has_read.wait(10)
    acting.write(token, privacy.erase)
    has_left.set()
    writer.join()
    assert left_over() == (f"person {who.id}, left_over preferences",)


@pytest.mark.parametrize("leave", ["erase", "ban", "delete"])
def test_an_erasure_waits_for_a_write_in_progress(session: Session, cast: Cast, leave: str) -> None:
    """So nothing of theirs is written after the answer that they are gone."""
    alice_id, token = cast.alice.id, signed_in(cast.alice)
    begun, done = Barrier(2), []

    def slowly(_session: Session, actor: User | None) -> None:
        assert actor is not None
        begun.wait(10)
        gone.join(0.3)  # it must not end before this write does
        done.append("written")

    def go() -> None:
        begun.wait(10)
        if leave == "erase":
            acting.write(token, privacy.erase)
        elif leave == "ban":
            db.write(lambda s: user_actions.ban(s, s.get(User, cast.ada.id), alice_id, BanForm()))
        else:
            db.write(lambda s: user_actions.delete(s, s.get(User, cast.ada.id), alice_id))
        done.append("gone")

    gone = Thread(target=go)
    gone.start()
    acting.write(token, slowly)
    gone.join()
    assert done == ["written", "gone"]


def test_an_order_that_waited_for_a_lock_is_refused_after_a_ban(session: Session, cast: Cast) -> None:
    product = make_product(session, price_cents=100_00, stock=50)
    session.commit()
    form, token = order_form((product, 1)), signed_in(cast.alice)
    placed_before_the_ban: list[int] = []
    answers_after_it: list[str] = []
    is_banned = Event()

    def place() -> Any:
        was_banned = is_banned.is_set()
        answer = acting.write(token, orders.place, form, key=None)
        if was_banned:
            answers_after_it.append(str(answer))
        return answer

    def ban() -> None:
        db.write(lambda s: user_actions.ban(s, s.get(User, cast.ada.id), cast.alice.id, BanForm()))
        placed_before_the_ban.extend(_numbers())
        is_banned.set()

    at_once([*[place] * 8, ban, *[place] * 8])
    assert is_banned.is_set()
    assert answers_after_it == []
    assert _numbers() == placed_before_the_ban


def _numbers() -> list[int]:
    return db.read(lambda s: list(s.execute(text("SELECT number FROM orders ORDER BY number")).scalars()))


@pytest.mark.parametrize("column", ["banned_at", "deleted_at"])
def test_a_user_gone_before_the_lock_writes_nothing(session: Session, cast: Cast, column: str) -> None:
    stale = db.read(lambda s: s.get_one(User, cast.alice.id))
    session.execute(text(f"UPDATE users SET {column} = CURRENT_TIMESTAMP, ban_reason = 'x' WHERE id = {stale.id}"))
    session.commit()
    with pytest.raises(errors.NotSignedIn):
        db.write(lambda s: preferences.save(s, stale, PREFERENCES))


def erase_beside_placements(session: Session, who: User, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Their two open orders are cancelled; between the two, others buy the product of one and of the other."""
    products = [make_product(session, name, price_cents=120_00, stock=50) for name in ("Fern Hollow", "Quiet Mint")]
    one, other = shoppers(session, 2)
    for product in products:
        placing(who, (product, 1))()
    is_paused = pause_status_changes(monkeypatch, holds_head=True)

    def leave() -> None:
        db.write(lambda s: privacy.erase(s, s.get(User, who.id)))

    buyers = zip((one, other), products, strict=True)
    return at_once([leave, *(when_paused(is_paused, placing(buyer, (product, 1))) for buyer, product in buyers)])


def test_a_placement_does_not_deadlock_with_an_erasure_that_cancels_orders(
    session: Session, cast: Cast, lost_races: list[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = erase_beside_placements(session, cast.alice, monkeypatch)
    assert [type(answer) for answer in answers] == [type(None), dict, dict]
    assert lost_races == []


def test_control_an_erasure_that_locks_one_order_after_the_other_loses_a_race(
    engine: Engine, session: Session, cast: Cast, lost_races: list[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    monkeypatch.setattr(fulfilment, "lock_orders", lambda *_: [])
    erase_beside_placements(session, cast.alice, monkeypatch)
    assert lost_races != []


def test_an_erased_user_cannot_be_erased_again(cast: Cast) -> None:
    stale = db.read(lambda s: s.get_one(User, cast.alice.id))
    db.write(lambda s: privacy.erase(s, s.get(User, stale.id)))
    with pytest.raises(errors.NotSignedIn):
        db.write(lambda s: privacy.erase(s, stale))


def test_leftovers_of_erased_users_are_found(session: Session, cast: Cast) -> None:
    token = signed_in(cast.alice)
    acting.write(token, privacy.erase)
    assert left_over() == ()
    session.add(Preferences(user_id=cast.alice.id))
    session.commit()
    assert left_over() == (f"person {cast.alice.id}, left_over preferences",)
