"""Reads packed or marked-up texts (e-books, notebooks, reStructuredText) with the readers of their parts."""
