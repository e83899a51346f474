"""Parses questions about figures: the operation, the periods, and the words that restrict them."""
