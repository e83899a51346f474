"""Handles the tools used for an answer: which ones are offered and called, which need consent, and how their results
are cited."""
