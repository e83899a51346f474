"""How memories are kept: items, their copies in the index, their vectors, and the records beside them."""
