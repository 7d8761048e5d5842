"""Mistakes in what an order costs, which units it takes and what is recorded: prices, stock, rules and batches."""

from tools.mistakes.mistake import Edit, Mistake

_ORDERS = "marketplace_app/services/buying/orders.py"

ORDERS = (
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
        ("tests/services/buying/test_orders.py", "tests/services/test_races.py"),
    ),
    Mistake(
        "the client's amounts are trusted",
        (Edit(_ORDERS, "    _require_agreed(form, quote, items)\n    _claim_stock", "    _claim_stock"),),
        ("tests/services/buying/test_orders.py",),
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
        "rules count before they are reviewed",
        (
            Edit(
                "marketplace_app/services/jurisdictions/versions.py",
                "_VERSIONS.c.reviewed_at.is_not(None))",
                "_VERSIONS.c.checked_on.is_not(None))",
            ),
        ),
        ("tests/services/jurisdictions/test_versions.py::test_an_unreviewed_version_never_counts",),
    ),
    Mistake(
        "birth dates are kept longer than the rules require",
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
        "buyers with an open page do not hear of a recall",
        (
            Edit(
                "marketplace_app/services/batches/recalls.py",
                ", *map(live.user, _buyer_ids(session, view.batch_id))",
                "",
            ),
        ),
        ("tests/services/batches/test_recalls.py::test_a_recall_is_announced_to_the_staff_and_to_each_buyer",),
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
        ("tests/services/order_batches/test_questions.py",),
    ),
    Mistake(
        "a question about packing another batch is open again when its order comes back",
        (
            Edit(
                "marketplace_app/services/buying/fulfilment.py",
                "    if status not in BEFORE_DISPATCH:\n        question_ends.end_for_order(session, order.id)\n",
                "",
            ),
        ),
        ("tests/services/batches/test_question_ends.py",),
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
        ("tests/services/batches/test_swaps.py",),
    ),
)
