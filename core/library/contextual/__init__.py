"""Contextual prefixes: what stands before a passage when its vector is made."""
