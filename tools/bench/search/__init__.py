"""Whether a shopper's words find what was meant, on a made-up catalogue of real strain names."""
