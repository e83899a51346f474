"""Searches passages and memories for a question within scopes; returns the best first, with every part of their
score."""
