"""Runs natural language inference: whether a text supports another text's claim."""
