"""Nodes of a plan: make its sub-questions, ask whether to run them, and look up their figures."""
