"""Searches passages and memories: takes a question and scopes; returns hits, best first, with their score's parts."""
