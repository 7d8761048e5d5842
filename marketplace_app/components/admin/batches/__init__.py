"""The batches of a product, and recalls."""
