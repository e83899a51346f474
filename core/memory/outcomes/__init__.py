"""Applies feedback on answers to memories: outcomes, counts, scores."""
