"""The allow-list of the socket: every public method of every state has a ruling in `RULINGS`."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute
from reflex.event import Event
from reflex.state import State, StateUpdate
from reflex_base.constants import CompileVars
from reflex_base.registry import RegistrationContext
from sqlalchemy import Engine

from marketplace_app.api import deps
from marketplace_app.auth import acting
from marketplace_app.errors import Unavailable
from marketplace_app.framework.events import REFLEX_EVENTS, Verdict, hydrate_event_name, is_reflex_event
from marketplace_app.marketplace_app import api, app
from marketplace_app.models import Permission, User
from marketplace_app.states.account.addresses import AddressesState
from marketplace_app.states.events import guard
from marketplace_app.states.events.base import ANYONE, SHOPPERS, SIGNED_IN, policy_of
from marketplace_app.states.events.guard import Guard, _arguments_fit
from marketplace_app.states.events.rate import Rate
from marketplace_app.states.events.viewer import ViewerState
from tests.states.tabs import open_url, show_url

RULINGS = {
    "cart_state.load": SHOPPERS,
    "cart_state.add": SHOPPERS,
    "cart_state.step": SHOPPERS,
    "cart_state.remove": SHOPPERS,
    "saved_state.set_saved": SIGNED_IN,
    "saved_state.cancel_alert": SIGNED_IN,
    "product_state.set_alert": SHOPPERS,
    "catalogue_state.load": SHOPPERS,
    "catalogue_state.toggle": SHOPPERS,
    "catalogue_state.remove_chip": SHOPPERS,
    "catalogue_state.toggle_more": SHOPPERS,
    "catalogue_state.show_all": SHOPPERS,
    "catalogue_state.choose_category": SHOPPERS,
    "catalogue_state.sort_by": SHOPPERS,
    "catalogue_state.show_as": SHOPPERS,
    "catalogue_state.clear": SHOPPERS,
    "catalogue_state.clear_instead": SHOPPERS,
    "catalogue_state.go_to": SHOPPERS,
    "catalogue_state.search": SHOPPERS,
    "product_state.load": SHOPPERS,
    "product_state.show_tab": SHOPPERS,
    "checkout_state.load": SHOPPERS,
    "checkout_state.age_verified": SHOPPERS,
    "checkout_state.choose_address": SHOPPERS,
    "checkout_state.choose_slot": SHOPPERS,
    "checkout_state.check_field": SHOPPERS,
    "checkout_state.choose_wish": SHOPPERS,
    "checkout_state.toggle_credit": SHOPPERS,
    "checkout_state.place": SHOPPERS,
    "welcome_state.load": ANYONE,
    "account_state.load": SIGNED_IN,
    "account_state.open_tab": SIGNED_IN,
    "profile_state.save": SIGNED_IN,
    "profile_state.reload": SIGNED_IN,
    "addresses_state.add": SIGNED_IN,
    "addresses_state.edit": SIGNED_IN,
    "addresses_state.set_open": SIGNED_IN,
    "addresses_state.save": SIGNED_IN,
    "addresses_state.make_default": SIGNED_IN,
    "addresses_state.remove": SIGNED_IN,
    "invitation_state.load": ANYONE,
    "invitation_state.load_none": ANYONE,
    "invitation_state.accept": SIGNED_IN,
    "orders_state.go_to": SIGNED_IN,
    "orders_state.view_details": SIGNED_IN,
    "order_state.load": SIGNED_IN,
    "order_state.cancel": SIGNED_IN,
    "order_state.confirm_ready": SIGNED_IN,
    "order_state.confirm_recall_read": SIGNED_IN,
    "order_questions_state.answer": SIGNED_IN,
    "order_wish_state.choose": SIGNED_IN,
    "order_wish_state.save": SIGNED_IN,
    "order_time_state.open": SIGNED_IN,
    "order_time_state.choose": SIGNED_IN,
    "order_time_state.save": SIGNED_IN,
    "order_time_state.set_open": SIGNED_IN,
    "buy_again_state.buy": SHOPPERS,
    "referrals_state.type_code": SIGNED_IN,
    "referrals_state.apply": SIGNED_IN,
    "self_check_state.load": ANYONE,
    "preferences_state.load": SIGNED_IN,
    "preferences_state.tick_consent": SIGNED_IN,
    "preferences_state.save": SIGNED_IN,
    "privacy_state.load": SIGNED_IN,
    "privacy_state.withdraw_consent": SIGNED_IN,
    "privacy_state.delete_preferences": SIGNED_IN,
    "support_state.load": ANYONE,
    "support_state.go_to": SIGNED_IN,
    "support_state.filter_by": SIGNED_IN,
    "ticket_state.set_open": SIGNED_IN,
    "ticket_state.type_reply": SIGNED_IN,
    "ticket_state.send": SIGNED_IN,
    "ticket_state.reopen": SIGNED_IN,
    "ticket_state.change": SIGNED_IN,
    "ticket_form_state.set_open": ANYONE,
    "ticket_form_state.send": ANYONE,
    "admin_products_state.load": Permission.SEE_PRODUCTS,
    "admin_products_state.search": Permission.SEE_PRODUCTS,
    "admin_products_state.show_segment": Permission.SEE_PRODUCTS,
    "admin_products_state.show_category": Permission.SEE_PRODUCTS,
    "admin_products_state.show_type": Permission.SEE_PRODUCTS,
    "admin_products_state.sort_by": Permission.SEE_PRODUCTS,
    "admin_products_state.clear": Permission.SEE_PRODUCTS,
    "admin_products_state.go_to": Permission.SEE_PRODUCTS,
    "admin_product_archive_state.ask": Permission.EDIT_PRODUCTS,
    "admin_product_archive_state.set_open": Permission.EDIT_PRODUCTS,
    "admin_product_archive_state.archive": Permission.EDIT_PRODUCTS,
    "admin_product_state.load": Permission.SEE_PRODUCTS,
    "admin_product_state.reload": Permission.SEE_PRODUCTS,
    "admin_product_state.refresh": Permission.SEE_PRODUCTS,
    "admin_product_state.save": Permission.EDIT_PRODUCTS,
    "admin_stock_state.adjust": Permission.EDIT_PRODUCTS,
    "admin_stock_state.go_to": Permission.SEE_PRODUCTS,
    "admin_lab_report_state.save": Permission.EDIT_PRODUCTS,
    "admin_lab_report_state.reload": Permission.SEE_PRODUCTS,
    "admin_lab_report_state.remove": Permission.EDIT_PRODUCTS,
    "admin_lab_report_state.remove_pdf": Permission.EDIT_PRODUCTS,
    "admin_batches_state.go_to": Permission.SEE_PRODUCTS,
    "admin_batch_form_state.open_new": Permission.EDIT_BATCHES,
    "admin_batch_form_state.edit": Permission.EDIT_BATCHES,
    "admin_batch_form_state.save": Permission.EDIT_BATCHES,
    "admin_batch_form_state.set_open": Permission.EDIT_BATCHES,
    "admin_batch_step_state.ask": Permission.EDIT_BATCHES,
    "admin_batch_step_state.confirm": Permission.EDIT_BATCHES,
    "admin_batch_step_state.set_open": Permission.EDIT_BATCHES,
    "admin_import_state.load": Permission.EDIT_PRODUCTS,
    "admin_import_state.show": Permission.EDIT_PRODUCTS,
    "unexpected_failure_state.report": ANYONE,
    "unexpected_failure_state.say_too_busy": ANYONE,
    "unexpected_failure_state.say_outdated": ANYONE,
    "shop_state.load": ANYONE,
    "legal_state.load": ANYONE,
    "admin_legal_state.load": Permission.SEE_SETTINGS,
    "admin_legal_state.show_preview": Permission.EDIT_SETTINGS,
    "admin_legal_state.publish": Permission.EDIT_SETTINGS,
    "admin_zones_state.load": Permission.SEE_SETTINGS,
    "admin_zones_state.save": Permission.EDIT_DELIVERY,
    "admin_zones_state.edit": Permission.EDIT_DELIVERY,
    "admin_zones_state.open_new": Permission.EDIT_DELIVERY,
    "admin_zones_state.ask_to_remove": Permission.EDIT_DELIVERY,
    "admin_zones_state.remove": Permission.EDIT_DELIVERY,
    "admin_zones_state.set_open": Permission.EDIT_DELIVERY,
    "admin_dispatch_state.load": Permission.SEE_DISPATCH,
    "admin_dispatch_state.toggle": Permission.PLAN_RUNS,
    "admin_dispatch_state.deselect": Permission.PLAN_RUNS,
    "admin_dispatch_state.put_on": Permission.PLAN_RUNS,
    "admin_dispatch_state.move": Permission.PLAN_RUNS,
    "admin_dispatch_state.take_off": Permission.PLAN_RUNS,
    "admin_dispatch_state.close": Permission.PLAN_RUNS,
    "admin_run_form_state.open_new": Permission.PLAN_RUNS,
    "admin_run_form_state.plan_again": Permission.PLAN_RUNS,
    "admin_run_form_state.edit": Permission.PLAN_RUNS,
    "admin_run_form_state.save": Permission.PLAN_RUNS,
    "admin_run_form_state.set_open": Permission.PLAN_RUNS,
    "admin_dispatch_question_state.ask_to_depart": Permission.PLAN_RUNS,
    "admin_dispatch_question_state.ask_to_discard": Permission.PLAN_RUNS,
    "admin_dispatch_question_state.suggest": Permission.PLAN_RUNS,
    "admin_dispatch_question_state.confirm": Permission.PLAN_RUNS,
    "admin_dispatch_question_state.set_open": Permission.PLAN_RUNS,
    "admin_cash_state.load": Permission.HANDLE_CASH,
    "admin_cash_state.go_to": Permission.HANDLE_CASH,
    "admin_cash_forms_state.open_form": Permission.HANDLE_CASH,
    "admin_cash_forms_state.set_open": Permission.HANDLE_CASH,
    "admin_cash_forms_state.open_shift": Permission.HANDLE_CASH,
    "admin_cash_forms_state.move": Permission.HANDLE_CASH,
    "admin_cash_forms_state.correct": Permission.HANDLE_CASH,
    "admin_recalls_state.load": Permission.RECALL,
    "admin_recall_state.load": Permission.RECALL,
    "admin_recall_form_state.open_form": Permission.RECALL,
    "admin_recall_form_state.set_open": Permission.RECALL,
    "admin_recall_form_state.find": Permission.RECALL,
    "admin_recall_form_state.choose": Permission.RECALL,
    "admin_recall_form_state.recall": Permission.RECALL,
    "admin_shift_state.load": Permission.HANDLE_CASH,
    "admin_shift_state.count": Permission.HANDLE_CASH,
    "admin_shift_state.close": Permission.HANDLE_CASH,
    "admin_run_state.load": Permission.SEE_DISPATCH,
    "admin_sheet_state.load": Permission.PLAN_RUNS,
    "admin_paper_state.begin": Permission.PLAN_RUNS,
    "admin_paper_state.skip": Permission.PLAN_RUNS,
    "admin_paper_state.choose": Permission.PLAN_RUNS,
    "admin_paper_state.save": Permission.PLAN_RUNS,
    "admin_paper_state.set_open": Permission.PLAN_RUNS,
    "admin_release_state.ask": Permission.PLAN_RUNS,
    "admin_release_state.save": Permission.PLAN_RUNS,
    "admin_release_state.set_open": Permission.PLAN_RUNS,
    "admin_windows_state.load": Permission.SEE_SETTINGS,
    "admin_windows_state.open_new": Permission.EDIT_DELIVERY,
    "admin_windows_state.edit": Permission.EDIT_DELIVERY,
    "admin_windows_state.save": Permission.EDIT_DELIVERY,
    "admin_windows_state.check_time": Permission.EDIT_DELIVERY,
    "admin_windows_state.remove": Permission.EDIT_DELIVERY,
    "admin_windows_state.set_open": Permission.EDIT_DELIVERY,
    "admin_closures_state.load": Permission.SEE_SETTINGS,
    "admin_rules_state.load": Permission.SEE_SETTINGS,
    "admin_rules_state.toggle": Permission.SEE_SETTINGS,
    "admin_rules_state.choose": Permission.EDIT_RULES,
    "admin_rules_state.ask_to_review": Permission.EDIT_RULES,
    "admin_rules_state.review": Permission.EDIT_RULES,
    "admin_rules_state.set_open": Permission.EDIT_RULES,
    "admin_rule_draft_state.open_new": Permission.EDIT_RULES,
    "admin_rule_draft_state.save": Permission.EDIT_RULES,
    "admin_rule_copy_state.open_copy": Permission.EDIT_RULES,
    "admin_rule_copy_state.save": Permission.EDIT_RULES,
    "admin_closures_state.add": Permission.EDIT_DELIVERY,
    "admin_closures_state.remove": Permission.EDIT_DELIVERY,
    "admin_search_state.load": Permission.SEE_PRODUCTS,
    "admin_search_state.add": Permission.EDIT_PRODUCTS,
    "admin_search_state.prefill": Permission.EDIT_PRODUCTS,
    "admin_search_state.edit": Permission.EDIT_PRODUCTS,
    "admin_search_state.cancel_edit": Permission.EDIT_PRODUCTS,
    "admin_search_state.save": Permission.EDIT_PRODUCTS,
    "admin_search_state.remove": Permission.EDIT_PRODUCTS,
    "admin_search_state.undo": Permission.EDIT_PRODUCTS,
    "admin_settings_state.load": Permission.SEE_SETTINGS,
    "admin_settings_state.reload": Permission.SEE_SETTINGS,
    "admin_settings_state.go_to": Permission.SEE_SETTINGS,
    "admin_settings_state.save": Permission.EDIT_SETTINGS,
    "admin_audit_state.load": Permission.SEE_AUDIT,
    "admin_audit_state.choose": Permission.SEE_AUDIT,
    "admin_audit_state.search": Permission.SEE_AUDIT,
    "admin_audit_state.clear": Permission.SEE_AUDIT,
    "admin_audit_state.go_to": Permission.SEE_AUDIT,
    "admin_audit_state.verify": Permission.SEE_AUDIT,
    "admin_audit_state.verify_next": Permission.SEE_AUDIT,
    "admin_health_state.load": Permission.SEE_HEALTH,
    "admin_health_state.check_again": Permission.SEE_HEALTH,
    "dashboard_state.load": ANYONE,
    "dashboard_state.load_counts": ANYONE,
    "admin_orders_state.search": Permission.SEE_ORDERS,
    "admin_orders_state.show_status": Permission.SEE_ORDERS,
    "admin_orders_state.show_days": Permission.SEE_ORDERS,
    "admin_orders_state.sort_by": Permission.SEE_ORDERS,
    "admin_orders_state.clear": Permission.SEE_ORDERS,
    "admin_orders_state.go_to": Permission.SEE_ORDERS,
    "admin_orders_state.toggle_selected": Permission.EDIT_ORDERS,
    "admin_orders_state.toggle_all": Permission.EDIT_ORDERS,
    "admin_orders_state.deselect": Permission.EDIT_ORDERS,
    "admin_orders_bulk_state.preview": Permission.EDIT_ORDERS,
    "admin_orders_bulk_state.set_open": Permission.EDIT_ORDERS,
    "admin_orders_bulk_state.apply": Permission.EDIT_ORDERS,
    "admin_overview_state.show_span": Permission.SEE_DASHBOARD,
    "admin_order_state.load": Permission.SEE_ORDERS,
    "admin_order_batch_state.open": Permission.EDIT_ORDERS,
    "admin_order_batch_state.choose": Permission.EDIT_ORDERS,
    "admin_order_batch_state.save": Permission.EDIT_ORDERS,
    "admin_order_batch_state.set_open": Permission.EDIT_ORDERS,
    "admin_order_step_state.advance": Permission.EDIT_ORDERS,
    "admin_order_step_state.undo": Permission.EDIT_ORDERS,
    "admin_order_form_state.edit": Permission.EDIT_ORDERS,
    "admin_order_form_state.ask_to_delete": Permission.DELETE_ORDERS,
    "admin_order_form_state.set_open": Permission.SEE_ORDERS,
    "admin_order_form_state.save": Permission.EDIT_ORDERS,
    "admin_order_form_state.delete": Permission.DELETE_ORDERS,
    "admin_users_state.search": Permission.SEE_USERS,
    "admin_users_state.filter_by": Permission.SEE_USERS,
    "admin_users_state.sort_by": Permission.SEE_USERS,
    "admin_users_state.clear": Permission.SEE_USERS,
    "admin_users_state.go_to": Permission.SEE_USERS,
    "admin_user_form_state.edit": Permission.EDIT_USERS,
    "admin_user_form_state.ask_to_ban": Permission.BAN_USERS,
    "admin_user_form_state.ask_to_delete": Permission.DELETE_USERS,
    "admin_user_form_state.set_open": Permission.SEE_USERS,
    "admin_user_form_state.save": Permission.EDIT_USERS,
    "admin_user_form_state.ban": Permission.BAN_USERS,
    "admin_user_form_state.unban": Permission.BAN_USERS,
    "admin_user_form_state.delete": Permission.DELETE_USERS,
    "admin_user_form_state.sign_out": Permission.EDIT_USERS,
    "admin_user_state.load": Permission.SEE_USERS,
    "admin_user_state.grant": Permission.GRANT_ROLES,
    "admin_invitations_state.search": Permission.SEE_INVITATIONS,
    "admin_invitations_state.go_to": Permission.SEE_INVITATIONS,
    "admin_invitations_state.send": Permission.SEND_INVITATIONS,
    "admin_invitations_state.resend": Permission.SEND_INVITATIONS,
    "admin_invitations_state.revoke": Permission.SEND_INVITATIONS,
    "admin_invitations_page_state.load": Permission.SEE_INVITATIONS,
    "admin_invitation_file_state.set_open": Permission.SEND_INVITATIONS,
    "admin_invitation_file_state.check": Permission.SEND_INVITATIONS,
    "admin_invitation_file_state.send": Permission.SEND_INVITATIONS,
}


def handlers() -> dict[str, Callable[..., Any]]:
    """Every event a client could name."""
    return {name: entry.handler.fn for name, entry in RegistrationContext.get().event_handlers.items()}


def short(name: str) -> str:
    return name.rpartition("____")[2]


def test_every_handler_has_its_ruling() -> None:
    ruled = {short(name): policy.who for name, fn in handlers().items() if (policy := policy_of(fn)) is not None}
    extra, gone = {name: who.name for name, who in ruled.items() - RULINGS.items()}, RULINGS.keys() - ruled.keys()
    assert not extra, f"Say in RULINGS of tests/states/events/test_guard.py who may call {extra}"
    assert not gone, f"Remove from RULINGS of tests/states/events/test_guard.py what there is no more: {gone}"


def test_handlers_without_a_ruling_belong_to_reflex_and_only_six_of_them_run() -> None:
    unruled = {name for name, fn in handlers().items() if policy_of(fn) is None}
    ours = {name for name in unruled if "marketplace_app" in name and not name.endswith(".setvar")}
    assert not ours, f"Put @action(who=...) above these, or begin their names with an underscore: {ours}"
    allowed = {name.rpartition(".")[2] for name in unruled if is_reflex_event(name)}
    assert allowed == REFLEX_EVENTS
    assert len(allowed) == 6
    assert not any(is_reflex_event(name) for name in unruled if name.endswith(".setvar"))


def test_a_method_of_the_store_cannot_pass_as_reflexs() -> None:
    ours = next(name for name in handlers() if name.endswith("cart_state.add"))
    assert not is_reflex_event(ours)
    assert not is_reflex_event(ours.removesuffix("add") + "hydrate")


@pytest.mark.parametrize(
    ("arguments", "fits"),
    [({"product_id"}, True), (set(), False), ({"product_id", "price"}, False), ({"self", "product_id"}, False)],
)
def test_arguments_must_be_the_handlers_own(arguments: set[str], fits: bool) -> None:
    name = next(name for name in handlers() if name.endswith("cart_state.add"))
    assert _arguments_fit(name, frozenset(arguments)) is fits


def rates_declared() -> dict[str, Rate]:
    policies = {short(name): policy for name, fn in handlers().items() if (policy := policy_of(fn)) is not None}
    return {name: policy.rate for name, policy in policies.items() if policy.rate is not None}


def test_only_these_handlers_have_rates_of_their_own() -> None:
    expected = {
        "checkout_state.place": Rate("order_rate", "orders"),
        "ticket_form_state.send": Rate("ticket_rate", "tickets", is_counted_by_handler=True),
    }
    declared = rates_declared()
    assert declared == expected, "List here the handlers with a `rate`"


def routes_of(router: Any) -> Iterator[APIRoute]:
    for route in router.routes:
        if hasattr(route, "original_router"):
            yield from routes_of(route.original_router)
        elif isinstance(route, APIRoute):
            yield route


def test_a_rate_of_handlers_is_counted_by_routes_too() -> None:
    """Otherwise the API would be a way around it."""
    counted = {each.call for route in routes_of(api) for each in route.dependant.dependencies}
    buckets = {rate.bucket for rate in rates_declared().values()}
    uncounted = {bucket for bucket in buckets if getattr(deps, f"limit_{bucket}", None) not in counted}
    assert not uncounted, f"No route has `Depends(limit_...)` of api/deps.py for these: {uncounted}"


def test_an_unknown_event_is_answered_with_nothing(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    update = asyncio.run(Guard().preprocess(app, State(), Event(name="no.such.event", payload={})))
    assert update == StateUpdate(delta={}, events=[])
    assert "no handler with @action" in caplog.text


class Away:
    """A tab of a signed-in person on `/account`, whose next event cannot be told whose it is."""

    def __init__(self) -> None:
        self.person = User(id=1, issuer="i", subject="s", email="nora@example.org")
        self.root = State()

    async def open_account(self) -> Any:
        await guard._identify(self.root, self.person)
        await open_url(self.root, "/account")
        viewer = await self.root.get_state(ViewerState)
        viewer._clean()
        return viewer

    async def send(self, name: str, url: str, payload: dict[str, Any]) -> None:
        async def no_answer(_token: str | None) -> None:
            raise Unavailable

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(acting, "actor_of_async", no_answer)
            show_url(self.root, url)
            assert await Guard().judge(self.root, Event(name=name, payload=payload)) is Verdict.ANSWER


ON_LOAD = f".{CompileVars.ON_LOAD_INTERNAL}"


@pytest.mark.parametrize(
    ("name", "url", "is_reconnecting", "has_failed"),
    [
        (ON_LOAD, "/support", False, True),
        (ON_LOAD, "/account?tab=orders", False, False),
        (ON_LOAD, "/support", True, False),
        ("account_state.load", "/account", False, True),
        ("account_state.open_tab", "/account", False, False),
    ],
    ids=["another page", "another query", "a reconnect", "what a page reads", "a press"],
)
def test_a_page_that_is_opened_while_the_database_is_away_says_so(
    name: str, url: str, is_reconnecting: bool, has_failed: bool
) -> None:
    async def run() -> list[bool]:
        tab = Away()
        viewer = await tab.open_account()
        viewer._is_reconnecting = is_reconnecting
        full_name = next((each for each in RegistrationContext.get().event_handlers if each.endswith(name)), name)
        await tab.send(name if name == ON_LOAD else full_name, url, {})
        shown = [viewer.has_load_failed, viewer.is_unverifiable]
        await open_url(tab.root, "/account")
        return [*shown, viewer.has_load_failed]

    assert asyncio.run(run()) == [has_failed, False, False]


def test_back_on_the_page_before_one_that_could_not_be_opened_nothing_is_left_of_it() -> None:
    async def run() -> tuple[bool, bool]:
        tab = Away()
        viewer = await tab.open_account()
        addresses = await tab.root.get_state(AddressesState)
        addresses.is_open = True
        await tab.send(ON_LOAD, "/support", {})
        await open_url(tab.root, "/account")
        return addresses.is_open, viewer._is_same_page

    assert asyncio.run(run()) == (False, False)


def test_a_page_that_is_loaded_while_the_database_is_away_is_told_everything_afterwards() -> None:
    """It shows the initial values of all states, whatever the tab's states were."""

    async def run() -> tuple[set[str], set[str]]:
        tab = Away()
        viewer = await tab.open_account()
        await tab.send(hydrate_event_name(), "/account", {"hashes": {}})
        told = viewer.dirty_vars & {"has_load_failed", "is_unverifiable"}
        assert (viewer.has_load_failed, viewer.is_unverifiable, viewer.is_known) == (True, True, False)
        viewer._clean()
        await guard._identify(tab.root, tab.person)
        return told, viewer.dirty_vars & {"is_known", "is_signed_in", "is_unverifiable"}

    told, then = asyncio.run(run())
    assert told == {"has_load_failed", "is_unverifiable"}
    assert then == {"is_known", "is_signed_in", "is_unverifiable"}


@pytest.mark.attack("forged events")
def test_an_event_of_the_framework_with_unknown_arguments_is_refused(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    forged = Event(name=hydrate_event_name(), payload={"hashes": {}, "price": 1})
    assert asyncio.run(Guard().preprocess(app, State(), forged)) == StateUpdate(delta={}, events=[])
    assert "refused event" in caplog.text
    assert "its arguments do not fit" in caplog.text
