"""The rules of states, as they are written, reviewed and applied."""
