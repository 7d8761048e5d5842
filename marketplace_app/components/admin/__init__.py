"""Parts of the owner's pages: the desk."""
