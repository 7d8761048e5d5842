"""`make screens`: photographs of every page in every state, on a phone and on a desk, light and dark."""
