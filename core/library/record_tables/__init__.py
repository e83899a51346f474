"""Tables whose rows are things, of any length: read in pieces, found by every word in them."""
