"""One file a step, named by its number."""
