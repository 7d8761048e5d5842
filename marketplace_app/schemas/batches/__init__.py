"""Batches and recalls, as staff write and see them."""
