"""`make screens`: screenshots of every page in every state, on a phone and on a desktop, light and dark."""
