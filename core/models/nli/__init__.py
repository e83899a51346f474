"""Runs natural language inference (NLI): decides whether one text supports the claim of another."""
