"""When and where the shop delivers."""
