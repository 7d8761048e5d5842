"""Users, as staff list, read and change them."""
