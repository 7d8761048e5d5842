"""What an attacker may try, against stores that run on loopback: `make attack`."""
