"""How phones get to the page: addresses, codes to scan."""
