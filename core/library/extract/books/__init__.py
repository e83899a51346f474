"""Texts that are packed or marked up: e-books, notebooks, reStructuredText, read by the readers of their parts."""
