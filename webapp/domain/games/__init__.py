"""A game at the table: who sits where, which cards lie there, what is said of it and to whom."""
