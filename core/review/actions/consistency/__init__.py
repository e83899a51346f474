"""Checks a document against itself and against other documents of its kind: contradictions, totals, references."""
