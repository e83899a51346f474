"""Classifies a message's intent: with rules, learned probabilities, and a model if available."""
