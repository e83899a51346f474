"""Answers without a language model: evidence → one line with its value, cells and calculation, and how sure it is."""
