"""A private, age-gated store for legal cannabis products: cash on delivery, contactless, within 48 hours."""
