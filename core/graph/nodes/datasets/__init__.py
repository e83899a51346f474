"""Nodes that compute answers from datasets, and ask which column is meant."""
