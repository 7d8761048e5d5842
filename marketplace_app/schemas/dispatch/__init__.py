"""Runs, what is printed for them, and what is reported at a door."""
