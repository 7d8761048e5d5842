"""Receives, judges and runs the events of all pages, and answers them."""
