"""Handles an answer's tools: which are offered, called, need consent, and how their results are cited."""
