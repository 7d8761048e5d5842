"""From a saved product and the cart to an order."""
