"""Searches passages and memories: takes a question and the scopes to search; returns hits, best first, with every part
of their score."""
