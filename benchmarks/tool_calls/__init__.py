"""Calls as models get them wrong, servers that answer them, and faults."""
