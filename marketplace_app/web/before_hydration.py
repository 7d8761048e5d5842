"""Before hydration: which controls of the pages work without React."""

WITHOUT_REACT = (
    "dialog, #film-toggle, [data-answer], [data-sign-out], [data-delete-account], [data-copy], [data-download], "
    "[data-upload]"
)
"""Controls that the scripts in `assets/` handle."""
