"""How values are shown on a screen: labels, colours, counts and charts. No state, no events."""
