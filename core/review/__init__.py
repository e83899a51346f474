"""Compares claims with passages: which statements support each other, and how they differ."""
