"""Finds statements that users make about themselves, and suggests storing them in the memory bank."""
