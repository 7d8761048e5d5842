"""The labelled messages from which the store learned to sort tickets, and how well it sorts the ones held back."""
