"""Stores memories: items, their copies in the index, their vectors, and related records."""
