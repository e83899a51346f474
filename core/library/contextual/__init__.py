"""Adds contextual prefixes: text that is put in front of a passage for its embedding."""
