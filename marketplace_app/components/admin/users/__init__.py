"""Users, as staff see and edit them."""
