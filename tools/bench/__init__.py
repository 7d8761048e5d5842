"""Measures the speed, page weight and memory of the store: `make bench`. Figures and ratios, nothing asserted."""
