"""Puts results of queries into words: a first line, a table, and how they were computed."""
