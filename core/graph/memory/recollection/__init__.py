"""Answers what was said earlier from the user's own conversations."""
