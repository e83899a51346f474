"""Moves all stored data from one set of stores to another (``move``), and compares the result."""
