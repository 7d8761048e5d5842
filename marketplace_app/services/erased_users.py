"""What is left of people who were erased (RULE account-deletion), for the check of invariants."""

QUERY = """
    WITH erased AS (SELECT * FROM users WHERE issuer = 'erased')
    SELECT id AS person, 'account' AS left_over FROM erased
        WHERE verified_email <> '' OR email <> '' OR first_name <> '' OR last_name <> '' OR phone <> ''
        OR search_text <> '' OR referral_code IS NOT NULL OR age_verified_at IS NOT NULL OR invited_at IS NOT NULL
        OR deleted_at IS NULL
    UNION ALL SELECT user_id, 'address' FROM addresses WHERE user_id IN (SELECT id FROM erased)
    UNION ALL SELECT user_id, 'cart' FROM cart_lines WHERE user_id IN (SELECT id FROM erased)
    UNION ALL SELECT user_id, 'saved product' FROM saved_products WHERE user_id IN (SELECT id FROM erased)
    UNION ALL SELECT user_id, 'stock alert' FROM stock_alerts WHERE user_id IN (SELECT id FROM erased)
    UNION ALL SELECT user_id, 'preferences' FROM preferences WHERE user_id IN (SELECT id FROM erased)
    UNION ALL SELECT user_id, 'ticket' FROM tickets WHERE user_id IN (SELECT id FROM erased)
    UNION ALL SELECT user_id, 'stored answer' FROM idempotency_keys WHERE user_id IN (SELECT id FROM erased)
    UNION ALL SELECT user_id, 'session' FROM sessions WHERE user_id IN (SELECT id FROM erased)
    UNION ALL SELECT accepted_by_id, 'invitation' FROM invitations WHERE accepted_by_id IN (SELECT id FROM erased)
        AND (email <> '' OR accepted_email <> '' OR first_name <> '' OR last_name <> '' OR notes <> '')
    UNION ALL SELECT user_id, 'order' FROM orders WHERE user_id IN (SELECT id FROM erased)
        AND (customer_name <> '' OR customer_email <> '' OR contact_phone <> '' OR delivery_address <> ''
        OR street <> '' OR city <> '' OR state <> '' OR zip_code <> '' OR delivery_instructions <> ''
        OR payment_instructions <> '' OR search_text <> '')
    UNION ALL SELECT o.user_id, 'birth date' FROM order_legal_records r JOIN orders o ON o.id = r.order_id
        WHERE o.user_id IN (SELECT id FROM erased) AND r.birth_date IS NOT NULL
    UNION ALL SELECT o.user_id, 'signature or text' FROM stop_events e JOIN run_stops s ON s.id = e.stop_id
        JOIN orders o ON o.id = s.order_id WHERE o.user_id IN (SELECT id FROM erased)
        AND e.kind IN ('signed', 'failed', 'released') AND CAST(e.data AS VARCHAR) <> '{}'
"""
"""Their orders stay, as sales. A deletion by staff keeps the row (RULE delete-user) and is no erasure."""
