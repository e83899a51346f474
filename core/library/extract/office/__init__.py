"""Reads office files: the parts of reading that only office formats need."""
