"""Sign-in, its cookies, and who is calling."""
