"""The labelled messages from which the store learned to sort tickets, and how well it does on those held back."""
