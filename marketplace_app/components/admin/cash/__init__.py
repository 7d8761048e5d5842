"""Cash in the shop, and the shifts of drivers."""
