"""Simulates wrong tool calls as models make them, servers that answer them, and network faults."""
