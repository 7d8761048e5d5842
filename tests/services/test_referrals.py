"""Referral codes, applying them, and the credit that follows."""

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import clock, codes, db, errors, messages
from marketplace_app.adapters import live
from marketplace_app.messages import Notice
from marketplace_app.models import OrderStatus, Product, ShopSetting, User
from marketplace_app.schemas.account.referrals import ApplyForm, CreditState, Welcome
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.services import accounts, privacy, referrals, sessions
from marketplace_app.services.buying import fulfilment, orders
from tests.builders import give_credit, make_product, make_user, order_form
from tests.conftest import Cast


def code_of(who: User) -> str:
    return db.write(lambda s: referrals.my_code(s, s.get(User, who.id)))


def apply(who: User, code: str) -> str:
    form = parse(ApplyForm, {"referralCode": code})
    return db.write(lambda s: referrals.apply(s, s.get(User, who.id), form))


def place(who: User, product: Product) -> str:
    form = order_form((product, 2))
    return str(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key=None))["id"])


def set_status(admin: User, order_id: str, status: OrderStatus) -> None:
    db.write(lambda s: fulfilment.edit(s, s.get(User, admin.id), order_id, OrderEditForm(status=status)).id)


def show(who: User) -> referrals.ReferralsView:
    return db.write(lambda s: referrals.show(s, s.get(User, who.id)))


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=50)
    session.commit()
    return product


def test_a_code_is_made_on_first_look_and_stays(cast: Cast) -> None:
    code = code_of(cast.alice)
    assert len(code) == 8
    assert set(code) <= set(codes.CODE_ALPHABET)
    assert code_of(cast.alice) == code
    assert code_of(cast.bob) != code


def test_a_code_is_never_given_twice(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["AAAAAAAA", "AAAAAAAA", "BBBBBBBB"])
    monkeypatch.setattr(codes, "new_referral_code", lambda: next(drawn))
    assert [code_of(cast.alice), code_of(cast.bob)] == ["AAAAAAAA", "BBBBBBBB"]


@pytest.mark.parametrize("typed", ["{code}", " {code} ", "{half}", "{lower}"])
def test_spaces_dashes_and_case_do_not_count(cast: Cast, session: Session, typed: str) -> None:
    code = code_of(cast.alice)
    applied = apply(cast.bob, typed.format(code=code, lower=code.lower(), half=f"{code[:4]}-{code[4:]}"))
    assert applied == "Alice"
    assert session.get_one(User, cast.bob.id, populate_existing=True).referred_by_id == cast.alice.id


def test_an_applied_code_is_shown_in_open_pages(cast: Cast) -> None:
    """The panel of another tab, and the total of the cart."""
    form = ApplyForm(referralCode=code_of(cast.alice))

    def apply_and_look(s: Session) -> set[str]:
        referrals.apply(s, s.get(User, cast.bob.id), form)
        return set(s.info[live.TOPICS])

    assert db.write(apply_and_look) == {live.user(cast.bob.id)}


def test_an_unknown_code_and_one_of_a_banned_user_have_the_same_error(cast: Cast, session: Session) -> None:
    charlie = session.get_one(User, cast.charlie.id)
    charlie.referral_code = "CCCCCCCC"
    session.commit()
    for code in ("ZZZZZZZZ", "CCCCCCCC"):
        with pytest.raises(referrals.UnknownCode, match="does not exist"):
            apply(cast.alice, code)


def test_ones_own_code_is_refused(cast: Cast) -> None:
    with pytest.raises(referrals.OwnCode, match="your own"):
        apply(cast.alice, code_of(cast.alice))


def test_a_referrer_is_never_replaced(cast: Cast) -> None:
    apply(cast.zoe, code_of(cast.alice))
    with pytest.raises(referrals.AlreadyReferred):
        apply(cast.zoe, code_of(cast.bob))


def test_whoever_used_the_discount_before_they_erased_their_account_is_not_promised_it_again(
    cast: Cast, fern: Product
) -> None:
    who = accounts.Identity("http://issuer.test", "nora", "nora@example.org", is_email_verified=True)

    def sign_in() -> User:
        token = db.write(lambda s: accounts.sign_in(s, who, is_age_verified=True))
        user = db.read(lambda s: sessions.identify(s, token)).user
        assert user is not None
        return user

    code, before = code_of(cast.alice), sign_in()
    apply(before, code)
    set_status(cast.ada, place(before, fern), OrderStatus.DELIVERED)
    db.write(lambda s: privacy.erase(s, s.get(User, before.id)))
    after = sign_in()
    assert after.id != before.id
    assert not show(after).can_apply
    with pytest.raises(referrals.AlreadyReferred):
        apply(after, code)
    assert db.write(lambda s: referrals.apply_link(s, s.get(User, after.id), code)) is None


def test_after_a_first_order_it_is_too_late(cast: Cast, fern: Product) -> None:
    order_id = place(cast.bob, fern)
    with pytest.raises(referrals.NotFirstPurchase):
        apply(cast.bob, code_of(cast.alice))
    set_status(cast.ada, order_id, OrderStatus.CANCELLED)
    assert apply(cast.bob, code_of(cast.alice)) == "Alice"


def test_a_loop_of_two_or_three_is_refused(cast: Cast, session: Session) -> None:
    apply(cast.bob, code_of(cast.alice))
    apply(cast.zoe, code_of(cast.bob))
    for earlier in (cast.bob, cast.zoe):
        with pytest.raises(referrals.ReferralLoop):
            apply(cast.alice, code_of(earlier))
    assert session.get_one(User, cast.alice.id, populate_existing=True).referred_by_id is None


def test_credit_is_pending_until_delivery_and_reversed_by_a_cancellation(cast: Cast, fern: Product) -> None:
    apply(cast.bob, code_of(cast.alice))
    order_id = place(cast.bob, fern)
    seen = show(cast.alice)
    assert (seen.stats.completed_referrals, seen.stats.available_credit_cents) == (0, 0)
    assert [(line.what, line.state, line.amount_cents) for line in seen.statement] == [
        ("Bob", CreditState.PENDING, 100_00)
    ]
    set_status(cast.ada, order_id, OrderStatus.DELIVERED)
    set_status(cast.ada, order_id, OrderStatus.DELIVERED)
    seen = show(cast.alice)
    assert (seen.stats.completed_referrals, seen.stats.available_credit_cents) == (1, 100_00)
    assert [(line.what, line.state) for line in seen.statement] == [("Bob", CreditState.EARNED)]
    set_status(cast.ada, order_id, OrderStatus.CANCELLED)
    seen = show(cast.alice)
    assert (seen.stats.completed_referrals, seen.stats.available_credit_cents) == (0, 0)
    assert [(line.state, line.amount_cents) for line in seen.statement] == [
        (CreditState.REVERSED, -100_00),
        (CreditState.EARNED, 100_00),
    ]


def test_a_referred_user_sees_their_referrer_and_cannot_apply_another_code(cast: Cast) -> None:
    assert show(cast.bob).can_apply
    apply(cast.bob, code_of(cast.alice))
    seen = show(cast.bob)
    assert (seen.referred_by, seen.can_apply) == ("Alice", False)


def test_a_referrer_is_shown_by_first_name_or_as_a_friend(session: Session) -> None:
    person = make_user(session, "mary")
    for first, last, shown in (
        ("Mary", "Okafor", "Mary"),
        ("", "Okafor", "a friend"),
        ("", "", "a friend"),
    ):
        person.first_name, person.last_name = first, last
        assert referrals.name_of(person) == shown


def test_the_statement_names_orders_and_the_stores_own_entries(cast: Cast, fern: Product) -> None:
    db.write(lambda s: give_credit(s, s.get_one(User, cast.alice.id), 30_00))
    form = order_form((fern, 1), useCredit=True)
    placed = db.write(lambda s: orders.place(s, s.get(User, cast.alice.id), form, key=None))
    assert [(line.what, line.state, line.amount_cents) for line in show(cast.alice).statement] == [
        (f"Order {placed['number']}", CreditState.SPENT, -30_00),
        ("By the store", CreditState.ADJUSTED, 30_00),
    ]


def test_a_guest_has_no_code(session: Session) -> None:
    for ask in (referrals.my_code, referrals.stats, referrals.show):
        with pytest.raises(errors.NotSignedIn):
            ask(session, None)


def welcome(code: str) -> Welcome | None:
    return db.read(lambda s: referrals.welcome(s, None, code))


def follow(who: User, code: str) -> Notice | None:
    return db.write(lambda s: referrals.apply_link(s, s.get(User, who.id), code))


def test_a_link_names_its_sender_and_the_discount_that_the_shop_has_set(engine: Engine, cast: Cast) -> None:
    code = code_of(cast.alice)
    assert welcome(code) == Welcome("Alice", 100_00)
    with Session(engine) as session:
        session.get_one(User, cast.alice.id).last_name = "Archer"
        session.add(ShopSetting(name="referral_discount_cents", previous=100_00, value=40_00, reason="A test"))
        session.commit()
    assert welcome(code) == Welcome("Alice", 40_00)


@pytest.mark.parametrize("code", ["", "ZZZZZZZZ"])
def test_an_unknown_code_makes_no_offer(cast: Cast, code: str) -> None:
    assert welcome(code) is None


def test_the_link_of_a_banned_user_makes_no_offer(engine: Engine, cast: Cast) -> None:
    code = code_of(cast.alice)
    with Session(engine) as session:
        alice = session.get_one(User, cast.alice.id)
        alice.banned_at, alice.ban_reason = clock.now(), "Resold products"
        session.commit()
    assert welcome(code) is None
    assert follow(cast.bob, code) is None
    assert show(cast.bob).referred_by == ""


def test_a_link_is_applied_and_announced_once(cast: Cast) -> None:
    code = code_of(cast.alice)
    assert follow(cast.bob, code) == messages.referred_by("Alice", 100_00)
    assert follow(cast.bob, code) is None
    assert show(cast.bob).referred_by == "Alice"


def test_an_inapplicable_link_is_not_an_error(cast: Cast, fern: Product) -> None:
    assert follow(cast.alice, code_of(cast.alice)) is None
    code = code_of(cast.alice)
    place(cast.bob, fern)
    outcome = follow(cast.bob, code)
    assert outcome is not None
    assert outcome.text == "Referral codes are for a first purchase, and you have already ordered."
    assert show(cast.bob).referred_by == ""
