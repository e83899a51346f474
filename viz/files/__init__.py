"""Answers and conversations as files to keep."""
