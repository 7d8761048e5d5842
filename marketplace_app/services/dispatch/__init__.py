"""Delivering: runs with their stops, what happens at the door, and the board that staff see it on."""
