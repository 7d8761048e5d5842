"""Versions of the rules of states."""
