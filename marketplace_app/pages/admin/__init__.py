"""The owner's pages: the desk."""
