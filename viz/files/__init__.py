"""Answers and conversations as files to download."""
