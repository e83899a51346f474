"""Exports answers and conversations as files."""
