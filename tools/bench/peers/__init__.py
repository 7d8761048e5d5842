"""Vendure and django-oscar beside the store: `make bench-peers`."""
