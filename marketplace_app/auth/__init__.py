"""Sign-in, the cookies that remember it, and who somebody is."""
