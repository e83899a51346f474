"""Finds what users state about themselves, and suggests remembering it."""
