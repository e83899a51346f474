"""Moves all data from one set of stores to another (``move``), and compares the result."""
