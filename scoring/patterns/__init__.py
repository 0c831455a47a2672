"""Window cards: what is printed on them, which one lies under the dice, and windows of your own."""
