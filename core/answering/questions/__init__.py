"""Parses questions about figures: the operation, the periods, and what restricts them."""
