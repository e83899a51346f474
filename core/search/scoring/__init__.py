"""Scores search candidates: calibrates and combines retriever scores, and computes features of passages."""
