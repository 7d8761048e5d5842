"""Mistakes in runs, at the door and in the cash that drivers carry."""

from tools.mistakes.mistake import Edit, Mistake

DISPATCH = (
    Mistake(
        "a cancelled order stays on its run",
        (Edit("marketplace_app/services/buying/fulfilment.py", "    run_stops.settle(session, order, before)\n", ""),),
        ("tests/services/dispatch/test_stops.py",),
    ),
    Mistake(
        "an order is delivered without the earlier steps",
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
        "removing a run locks the audit trail before the run",
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
                "    if not may_drive(driver):\n        raise DriverMayNotDrive()\n",
                "",
            ),
        ),
        ("tests/services/dispatch/test_departures.py",),
    ),
    Mistake(
        "a shift whose cash differs from the books is closed after one count",
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
        "whoever counts the cash again sees the amount that is expected",
        (
            Edit(
                "marketplace_app/services/cash/shift_views.py",
                "    if state in (ShiftState.OPEN, ShiftState.RECOUNT):\n",
                "    if state is ShiftState.OPEN:\n",
            ),
        ),
        ("tests/services/cash/test_shift_views.py",),
    ),
    Mistake(
        "cash is taken back from a driver whose shift is closed already",
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
        "change kept as credit is not credited",
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
        "a run leaves without its sheet if the server dies right afterwards",
        (
            Edit(
                "marketplace_app/states/admin/dispatch/dispatch_questions.py",
                "            await read(self, sheets.write_at_departure, self._run)\n            await write(",
                "            await write(",
            ),
        ),
        ("tests/states/admin/dispatch/test_dispatch_questions.py",),
    ),
    Mistake(
        "cash entered from paper is not booked to the driver",
        (
            Edit(
                "marketplace_app/services/dispatch/reports.py",
                "        payment = DoorPayment(",
                "        payment = event.source is not EventSource.PAPER and DoorPayment(",
            ),
        ),
        ("tests/jobs/test_finished_on_paper.py",),
    ),
)
