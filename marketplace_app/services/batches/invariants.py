"""What is always true of batches, for the check of invariants: each query finds violations."""

from collections.abc import Mapping

QUERIES: Mapping[str, str] = {
    "stock kept in batches is the sum of their units": """
        SELECT p.id AS product, p.stock, COALESCE(b.units, 0) AS batches FROM products p
        LEFT JOIN (SELECT product_id, SUM(units) AS units FROM batches GROUP BY product_id) b ON b.product_id = p.id
        WHERE p.has_batches AND p.stock <> COALESCE(b.units, 0)""",
    "only products that are kept in batches have any": """
        SELECT b.id AS batch, b.product_id AS product FROM batches b JOIN products p ON p.id = b.product_id
        WHERE NOT p.has_batches""",
    "the units of a batch are the sum of its movements": """
        SELECT b.id AS batch, b.units, COALESCE(m.units, 0) AS movements FROM batches b
        LEFT JOIN (SELECT batch_id, SUM(units) AS units FROM batch_movements GROUP BY batch_id) m ON m.batch_id = b.id
        WHERE b.units <> COALESCE(m.units, 0)""",
    "what is set aside of a batch is the sum of what was set aside and released": """
        SELECT b.id AS batch, b.set_aside, COALESCE(m.units, 0) AS movements FROM batches b
        LEFT JOIN (SELECT x.batch_id, -SUM(x.units) AS units FROM batch_movements x
                   JOIN stock_movements s ON s.id = x.movement_id WHERE s.reason IN ('set_aside', 'release')
                   GROUP BY x.batch_id) m ON m.batch_id = b.id
        WHERE b.set_aside <> COALESCE(m.units, 0)""",
    "a stock movement is split among batches as a whole, and of its own product": """
        SELECT s.id AS movement, s.change, SUM(x.units) AS batches FROM batch_movements x
        JOIN stock_movements s ON s.id = x.movement_id JOIN batches b ON b.id = x.batch_id
        GROUP BY s.id, s.change, s.product_id
        HAVING SUM(x.units) <> s.change OR MIN(b.product_id) <> s.product_id OR MAX(b.product_id) <> s.product_id""",
    "what an order line has of a batch is what was taken for it": """
        SELECT order_id, batch_id AS batch, SUM(units) AS difference FROM (
            SELECT order_id, batch_id, units FROM line_batches UNION ALL
            SELECT s.order_id, x.batch_id, x.units FROM batch_movements x
            JOIN stock_movements s ON s.id = x.movement_id WHERE s.order_id IS NOT NULL
        ) u GROUP BY order_id, batch_id HAVING SUM(units) <> 0""",
    "nothing of a batch was taken for an order after its recall": """
        SELECT o.number, b.id AS batch FROM batch_movements x JOIN batches b ON b.id = x.batch_id
        JOIN stock_movements s ON s.id = x.movement_id JOIN orders o ON o.id = s.order_id
        WHERE x.units < 0 AND s.created_at > b.recalled_at""",
    "a swap of batches changes no order's units": """
        SELECT order_id, product_id AS product, SUM(change) AS difference FROM stock_movements WHERE reason = 'swap'
        GROUP BY order_id, product_id HAVING SUM(change) <> 0 OR order_id IS NULL""",
    "an open question for another batch can be answered": """
        SELECT o.number, q.id AS question FROM batch_questions q JOIN orders o ON o.id = q.order_id
        JOIN batches b ON b.id = q.to_batch_id LEFT JOIN line_batches l ON l.order_id = q.order_id
        AND l.product_id = q.product_id AND l.batch_id = q.from_batch_id
        WHERE q.ended_at IS NULL AND (o.status NOT IN ('pending', 'confirmed') OR l.units IS NULL
        OR l.units <> q.units OR b.recalled_at IS NOT NULL OR b.hold_reason <> '' OR NOT b.is_approved)""",
    "the batches of an order line are all of it": """
        SELECT o.number, l.product_id AS product, l.quantity, SUM(b.units) AS batches FROM line_batches b
        JOIN order_lines l ON l.order_id = b.order_id AND l.product_id = b.product_id
        JOIN orders o ON o.id = l.order_id GROUP BY o.number, o.status, l.product_id, l.quantity
        HAVING SUM(b.units) <> l.quantity OR o.status = 'cancelled'""",
}
