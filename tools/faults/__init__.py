"""What happens to the store when something fails while customers order: `make faults`."""
