"""The dispatch board, and the page of a run."""
