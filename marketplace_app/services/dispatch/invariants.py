"""What is always true of runs and their stops, for the check of invariants: each query finds violations."""

from collections.abc import Mapping

QUERIES: Mapping[str, str] = {
    "an order is on one run at a time": """
        SELECT order_id, COUNT(*) AS stops FROM run_stops WHERE ended_at IS NULL
        GROUP BY order_id HAVING COUNT(*) > 1""",
    "orders on a run that is out are out for delivery": """
        SELECT o.number, o.status, s.run_id AS run FROM run_stops s JOIN runs r ON r.id = s.run_id
        JOIN orders o ON o.id = s.order_id WHERE s.ended_at IS NULL AND r.departed_at IS NOT NULL
        AND o.status <> 'out_for_delivery'""",
    "orders that have ended are on no run that is planned": """
        SELECT o.number, o.status, s.run_id AS run FROM run_stops s JOIN runs r ON r.id = s.run_id
        JOIN orders o ON o.id = s.order_id WHERE s.ended_at IS NULL AND r.departed_at IS NULL
        AND o.status IN ('delivered', 'cancelled')""",
    "all stops of a run that is closed have ended": """
        SELECT s.id AS stop, s.run_id AS run FROM run_stops s JOIN runs r ON r.id = s.run_id
        WHERE s.ended_at IS NULL AND r.closed_at IS NOT NULL""",
    "attempts are the stops that failed": """
        SELECT o.number, d.attempts, COALESCE(f.stops, 0) AS stops FROM order_deliveries d
        JOIN orders o ON o.id = d.order_id
        LEFT JOIN (SELECT order_id, COUNT(*) AS stops FROM run_stops WHERE outcome = 'failed' GROUP BY order_id) f
        ON f.order_id = d.order_id WHERE d.attempts <> COALESCE(f.stops, 0)""",
}
