"""A user's own account and preferences, and how one is invited."""
