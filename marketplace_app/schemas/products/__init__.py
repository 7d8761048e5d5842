"""Products with their stock and lab reports, and what the catalogue shows of them."""
