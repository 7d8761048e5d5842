"""Invitations, one by one or from a file."""
