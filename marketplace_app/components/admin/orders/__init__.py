"""Orders, as staff see and change them."""
