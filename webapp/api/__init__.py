"""The JSON interface."""
