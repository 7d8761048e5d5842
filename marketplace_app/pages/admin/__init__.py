"""The admin pages."""
