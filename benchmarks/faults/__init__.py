"""Tests with small files that each contain one fault of a kind seen in practice, and the expected results."""
