"""Products, as owners see and edit them."""
