"""Decides where the answer to a message comes from, before any search."""
