"""Finds the documents that a message refers to."""
