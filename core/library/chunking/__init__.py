"""Splits a document's blocks into chunks that fit a token budget."""
