"""Measures the answers to messages without a model; each part is a module with a function ``run``."""
