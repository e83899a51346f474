"""Answers questions about financial statements without a model: returns a value, change, ratio or judgement."""
