"""How fast and how heavy the store is: `make bench`. Figures and ratios, nothing asserted."""
