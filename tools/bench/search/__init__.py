"""Whether a shopper's words find what was meant, on a made catalogue of real strain names."""
