"""Components of the admin pages."""
