"""From a saved product and the cart to the page of an order."""
