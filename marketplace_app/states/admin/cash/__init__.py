"""Cash in the shop and with drivers."""
