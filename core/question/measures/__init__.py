"""Finds the measures that a question names, and the formulas that define them."""
