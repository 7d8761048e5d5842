"""Mistakes that stores have been known to make, as changes to this one, and the tests that must notice each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    path: str
    right: str
    """The text as it is, which occurs once."""
    wrong: str


@dataclass(frozen=True)
class Mistake:
    name: str
    edits: tuple[Edit, ...]
    tests: tuple[str, ...]


_ORDERS = "marketplace_app/services/orders.py"

MISTAKES = (
    Mistake(
        "stock is read, then written",
        (
            Edit(_ORDERS, "quotes.load_products(session, wanted, lock=True)", "quotes.load_products(session, wanted)"),
            Edit(_ORDERS, '        _PRODUCTS.c.stock >= bindparam("quantity"),\n', ""),
            Edit(
                _ORDERS, '.values(stock=_PRODUCTS.c.stock - bindparam("quantity"))', '.values(stock=bindparam("left"))'
            ),
            Edit(
                _ORDERS,
                '{"product_id": item.product_id, "quantity": item.quantity}',
                '{"product_id": item.product_id, "left": max(0, item.available - item.quantity)}',
            ),
        ),
        ("tests/services/test_races.py::test_two_hundred_buyers_for_fifty_units_buy_fifty",),
    ),
    Mistake(
        "no unique index behind a one-time discount",
        (
            Edit(
                "alembic/versions/0001_first_tables.py",
                '            "uq_orders_first_purchase",\n            ["user_id"],\n            unique=True,',
                '            "uq_orders_first_purchase",\n            ["user_id"],\n            unique=False,',
            ),
        ),
        ("tests/models/test_constraints.py",),
    ),
    Mistake(
        "no idempotency",
        (
            Edit(
                _ORDERS,
                "    stored = session.connection().execute(_ANSWER,",
                "    stored = key = None\n    session.connection().execute(_ANSWER,",
            ),
        ),
        ("tests/services/test_orders.py", "tests/services/test_races.py"),
    ),
    Mistake(
        "the guard of events is off",
        (
            Edit(
                "marketplace_app/states/guard.py",
                "            return await self._decide(root, event)\n",
                "            return Verdict.RUN\n",
            ),
        ),
        ("tests/states/test_guard.py", "tests/states/test_subscriptions.py"),
    ),
    Mistake(
        "any origin may open the socket",
        (
            Edit("rxconfig.py", "cors_allowed_origins=list(settings.origins)", 'cors_allowed_origins=["*"]'),
            Edit(
                "marketplace_app/web/request_filter.py",
                "    return (origin is not None and origin not in origins) or site not in",
                "    return site not in",
            ),
        ),
        ("tests/web/test_request_filter.py",),
    ),
    Mistake(
        "the client's amounts are believed",
        (Edit(_ORDERS, "    _require_agreed(form, quote, items)\n    _claim_stock", "    _claim_stock"),),
        ("tests/services/test_orders.py",),
    ),
    Mistake(
        "an answer precedes its commit",
        (
            Edit(
                "marketplace_app/auth/acting.py",
                "    return await db.write_async(_writing(token, operation, *args, **kwargs))\n",
                "    work = _writing(token, operation, *args, **kwargs)\n    answer = db.read(work)\n"
                "    __import__('threading').Timer(0.2, db.write, [work]).start()\n"
                "    return answer\n",
            ),
        ),
        ("tests/api/test_orders.py",),
    ),
    Mistake(
        "orders are not filtered by their owner",
        (
            Edit(
                _ORDERS,
                "return col(Order.user_id) == user.id, col(Order.deleted_at).is_(None)\n",
                "return (col(Order.deleted_at).is_(None),)\n",
            ),
        ),
        ("tests/api/test_foreign_ids.py", "tests/services/test_orders.py"),
    ),
    Mistake(
        "a ban or a sign-out leaves sessions alive",
        (
            Edit(
                "marketplace_app/services/sessions.py",
                "    session.execute(delete(SignInSession).where(col(SignInSession.user_id) == user.id))\n",
                "",
            ),
        ),
        ("tests/auth/test_acting.py", "tests/services/admin/test_user_actions.py"),
    ),
    Mistake(
        "money is a float",
        (
            Edit(
                "marketplace_app/money.py",
                "return share_of(cents, percent * 100)",
                "return round(cents / 100 * percent)",
            ),
        ),
        ("tests/test_money.py",),
    ),
    Mistake(
        "the client says how old it is",
        (
            Edit(
                "marketplace_app/auth/cookies.py",
                'return _verified_value(read(header, age_pass_name()), "age", AGE_PASS_LIFETIME) == "21"',
                "return bool(read(header, age_pass_name()))",
            ),
        ),
        ("tests/api/test_sign_in.py",),
    ),
    Mistake(
        "a toast is a script that the browser evaluates",
        (
            Edit(
                "marketplace_app/states/cart.py",
                '        await toast(self, "success", messages.added(line.product.name))\n',
                "        return rx.toast.success(messages.added(line.product.name).text)\n",
            ),
        ),
        ("tests/states/test_scripts.py",),
    ),
    Mistake(
        "cookies are logged",
        (
            Edit(
                "marketplace_app/web/logs.py",
                'text = redact(text).replace("\\n", "\\n  ")',
                'text = text.replace("\\n", "\\n  ")',
            ),
        ),
        ("tests/web/test_logs.py",),
    ),
    Mistake(
        "a tab's token is enough without its cookie",
        (
            Edit(
                "marketplace_app/states/guard.py",
                "    if viewer._user_id not in (None, user_id) or lost:\n",
                "    if lost and user:\n",
            ),
        ),
        ("tests/e2e/test_socket.py::test_anothers_tab_token_restores_nothing",),
    ),
    Mistake(
        "limits count sessions",
        (
            Edit(
                "marketplace_app/api/deps.py",
                "    return rate_key(known_sessions.user_id_of(token), client_address(request.scope))",
                '    return f"session:{token}" if token else rate_key(None, client_address(request.scope))',
            ),
        ),
        ("tests/api/test_rates.py",),
    ),
    Mistake(
        "rules count before they are reviewed",
        (
            Edit(
                "marketplace_app/services/jurisdictions/versions.py",
                "_VERSIONS.c.reviewed_at.is_not(None))",
                "_VERSIONS.c.checked_on.is_not(None))",
            ),
        ),
        ("tests/services/jurisdictions/test_drafts.py::test_an_unreviewed_version_never_counts",),
    ),
    Mistake(
        "birth dates outlive what the rules want",
        (
            Edit(
                "marketplace_app/jobs/timetable.py",
                "        db.write(partial(records.erase, order_ids=due))",
                "        break",
            ),
        ),
        ("tests/services/jurisdictions/test_records.py",),
    ),
    Mistake(
        "a cancelled order stays on its run",
        (Edit("marketplace_app/services/fulfilment.py", "    stops.settle(session, order)\n", ""),),
        ("tests/services/dispatch/test_runs.py",),
    ),
    Mistake(
        "an order is delivered without the steps before",
        (
            Edit(
                "marketplace_app/services/dispatch/steps.py",
                "    if missing is not None:\n",
                "    if missing is kind:\n",
            ),
        ),
        ("tests/services/dispatch/test_steps.py",),
    ),
    Mistake(
        "the door PIN that a driver enters is stored",
        (
            Edit(
                "marketplace_app/services/dispatch/reports.py",
                '{"right": _is_right_pin(data.pin, order), "offline": is_checked_afterwards}',
                '{"right": _is_right_pin(data.pin, order), "offline": is_checked_afterwards, "pin": data.pin}',
            ),
        ),
        ("tests/services/dispatch/test_event_batches.py",),
    ),
    Mistake(
        "a run leaves while its driver is out on another",
        (
            Edit(
                "marketplace_app/services/dispatch/departures.py",
                "    except IntegrityError:\n        raise DriverOut() from None\n",
                "    except IntegrityError:\n        run.departed_at = None\n",
            ),
        ),
        ("tests/services/dispatch/test_runs.py",),
    ),
    Mistake(
        "a run is removed with the audit trail locked",
        (
            Edit(
                "marketplace_app/services/dispatch/runs.py",
                "    session.execute(delete(Run).where(col(Run.id) == run_id))  # its stops go with it\n",
                '    audit_log.append(session, staff, "run.discarded", f"run:{run_id}")\n'
                "    session.execute(delete(Run).where(col(Run.id) == run_id))\n",
            ),
        ),
        ("tests/services/dispatch/test_run_races.py::test_a_run_is_removed_while_an_order_of_it_is_cancelled",),
    ),
    Mistake(
        "many orders change without the locks of their runs",
        (
            Edit(
                "marketplace_app/services/run_stops.py",
                ".order_by(_RUNS.c.id).with_for_update())",
                ".order_by(_RUNS.c.id))",
            ),
        ),
        ("tests/services/dispatch/test_run_races.py::test_stops_change_while_many_orders_of_their_run_get_a_status",),
    ),
    Mistake(
        "a driver who was banned leaves with a run",
        (
            Edit(
                "marketplace_app/services/dispatch/departures.py",
                "    if not may_drive(driver):\n        raise NoDriver()\n",
                "",
            ),
        ),
        ("tests/services/dispatch/test_runs.py",),
    ),
    Mistake(
        "a shift that differs is closed after one count",
        (
            Edit(
                "marketplace_app/services/cash/shifts.py",
                "    if difference and len(shift.counts) < MAX_COUNTS_A_SHIFT:\n"
                "        raise CountNeeded(cash_messages.RECOUNT_NEEDED)\n",
                "",
            ),
        ),
        ("tests/services/cash/test_shifts.py",),
    ),
    Mistake(
        "who counts again sees what is expected",
        (
            Edit(
                "marketplace_app/services/cash/shift_views.py",
                "    if state in (ShiftState.OPEN, ShiftState.RECOUNT):\n",
                "    if state is ShiftState.OPEN:\n",
            ),
        ),
        ("tests/services/cash/test_shifts.py",),
    ),
    Mistake(
        "a driver whose shift is closed gives cash back",
        (
            Edit(
                "marketplace_app/services/cash/ledger.py",
                "    return _Holder(CashAccount.DRIVER, last.shift_id) if shift.closed_at is None else _DESK\n",
                "    return _Holder(CashAccount.DRIVER, last.shift_id)\n",
            ),
        ),
        ("tests/services/cash/test_shifts.py",),
    ),
    Mistake(
        "change that a customer keeps is no credit",
        (
            Edit(
                "marketplace_app/services/cash/ledger.py",
                "    credits.add_entry(session, order.user_id, kept, reason, order_id=order.id)\n",
                "",
            ),
        ),
        ("tests/services/cash/test_ledger.py",),
    ),
    Mistake(
        "a run leaves without a sheet if its process dies",
        (
            Edit(
                "marketplace_app/states/admin/dispatch_questions.py",
                "            await read(self, sheets.write_at_departure, self._run)\n            await write(",
                "            await write(",
            ),
        ),
        ("tests/states/admin/test_dispatch.py",),
    ),
    Mistake(
        "cash that stands on paper is not the driver's",
        (
            Edit(
                "marketplace_app/services/dispatch/reports.py",
                "        payment = DoorPayment(",
                "        payment = event.source is not EventSource.PAPER and DoorPayment(",
            ),
        ),
        ("tests/jobs/test_finished_on_paper.py",),
    ),
    Mistake(
        "buyers with an open page do not hear of a recall",
        (
            Edit(
                "marketplace_app/services/batches/recalls.py",
                ", *map(live.person, _buyer_ids(session, view.batch_id))",
                "",
            ),
        ),
        ("tests/services/test_recalls.py::test_a_recall_is_announced_to_the_staff_and_to_each_buyer",),
    ),
    Mistake(
        "an order is packed from another batch although its customer wants to be asked",
        (
            Edit(
                "marketplace_app/services/batches/swaps.py",
                "    return wish is Substitution.ANY\n",
                "    return True\n",
            ),
        ),
        ("tests/services/test_batch_questions.py",),
    ),
    Mistake(
        "a question for another batch comes back with an order that had left",
        (
            Edit(
                "marketplace_app/services/fulfilment.py",
                "    if status not in BEFORE_DISPATCH:\n        question_ends.end_for_order(session, order.id)\n",
                "",
            ),
        ),
        ("tests/services/test_batch_questions.py",),
    ),
    Mistake(
        "units of a recalled batch are sold again after a swap",
        (
            Edit(
                "marketplace_app/services/batches/of_orders.py",
                "            batch.set_aside += units\n            set_aside[batch_id] = -units\n",
                "            batch.units += units\n",
            ),
        ),
        ("tests/services/test_batch_swaps.py",),
    ),
    Mistake(
        "a form that is sent twice is entered for the next stop",
        (
            Edit(
                "marketplace_app/states/base.py",
                "    return form_key is not None and form_key != str(state.form_key)\n",
                "    return False\n",
            ),
        ),
        ("tests/states/test_sent_once.py",),
    ),
)
