"""Batches: what of them may be sold, their ledger, what orders have of them, and how staff keep them."""
