"""Cash on its way from the door to the bank (docs/product/cash.md)."""
