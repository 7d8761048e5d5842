"""Products, as owners list, edit and import them; `product.py` beside this folder is one's page."""
