"""Ranks memories by relevance and outcomes: the ranking profiles and their boosts."""
