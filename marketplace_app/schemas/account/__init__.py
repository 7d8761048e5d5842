"""A user's own account and preferences, and invitations."""
