"""What is always true of cash, for the check of invariants: each query finds violations (RULE cash-ledger)."""

from collections.abc import Mapping

_PAID = "SUM(CASE WHEN from_account = 'customers' THEN cents ELSE -cents END)"
"""What came from customers, less what went back. The reason `before`: paid before the store kept this ledger."""
_LEFT_WITH_DRIVER = "SUM(CASE WHEN to_account = 'driver' THEN cents ELSE -cents END)"

QUERIES: Mapping[str, str] = {
    "cash was taken for delivered orders, and for no others": f"""
        SELECT o.number, o.status, o.total_cents AS total, COALESCE(m.cents, 0) AS taken FROM orders o
        LEFT JOIN (SELECT order_id, {_PAID} AS cents FROM cash_movements
                   WHERE reason IN ('taken', 'returned', 'before') GROUP BY order_id) m ON m.order_id = o.id
        WHERE COALESCE(m.cents, 0) <> CASE WHEN o.status = 'delivered' THEN o.total_cents ELSE 0 END""",  # noqa: S608
    "change that was kept is the customer's credit": f"""
        SELECT o.number, COALESCE(m.cents, 0) AS kept, COALESCE(e.cents, 0) AS credit FROM orders o
        LEFT JOIN (SELECT order_id, {_PAID} AS cents FROM cash_movements
                   WHERE reason IN ('change_kept', 'change_returned') GROUP BY order_id) m ON m.order_id = o.id
        LEFT JOIN (SELECT order_id, SUM(amount_cents) AS cents FROM credit_entries
                   WHERE reason IN ('change', 'change_returned') GROUP BY order_id) e ON e.order_id = o.id
        WHERE COALESCE(m.cents, 0) <> COALESCE(e.cents, 0)""",  # noqa: S608
    "a driver whose shift is closed has no cash left": f"""
        SELECT s.id AS shift, SUM(m.cents) AS cents FROM driver_shifts s
        JOIN (SELECT shift_id, {_LEFT_WITH_DRIVER} AS cents FROM cash_movements WHERE shift_id IS NOT NULL
              GROUP BY shift_id) m ON m.shift_id = s.id
        WHERE s.closed_at IS NOT NULL GROUP BY s.id HAVING SUM(m.cents) <> 0""",  # noqa: S608
    "the difference of a shift is booked": """
        SELECT s.id AS shift, s.difference_cents AS difference, COALESCE(m.cents, 0) AS booked FROM driver_shifts s
        LEFT JOIN (SELECT shift_id, SUM(CASE WHEN reason = 'surplus' THEN cents ELSE -cents END) AS cents
                   FROM cash_movements WHERE reason IN ('surplus', 'shortage') GROUP BY shift_id) m
        ON m.shift_id = s.id WHERE COALESCE(s.difference_cents, 0) <> COALESCE(m.cents, 0)""",
    "what a driver handed in is what was counted last": """
        SELECT s.id AS shift, COALESCE(m.cents, 0) AS handed_in, c.counted_cents AS counted FROM driver_shifts s
        JOIN shift_counts c ON c.shift_id = s.id
        LEFT JOIN (SELECT shift_id, SUM(cents) AS cents FROM cash_movements WHERE reason = 'handed_in'
                   GROUP BY shift_id) m ON m.shift_id = s.id
        WHERE s.closed_at IS NOT NULL AND c.counted_cents <> COALESCE(m.cents, 0)
        AND c.number = (SELECT MAX(number) FROM shift_counts WHERE shift_id = s.id)""",
}
