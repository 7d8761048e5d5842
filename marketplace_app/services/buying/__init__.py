"""From the cart to the order, and what becomes of it."""
