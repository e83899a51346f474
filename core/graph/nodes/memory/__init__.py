"""Nodes that look up what the user gave before."""
