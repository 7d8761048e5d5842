"""The catalogue, and the page of a product."""
