"""Reading photos beside the page: what a worker does, and the workers who do it."""
