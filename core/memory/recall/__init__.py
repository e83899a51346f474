"""Retrieves memories for a question, from all tiers."""
