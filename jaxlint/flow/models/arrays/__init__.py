"""Arrays: operators, indexing, checks of every use, conditions on them."""
