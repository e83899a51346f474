"""Searches documents: turns search hits into citations."""
