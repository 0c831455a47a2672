"""The pages and the forms on them."""
