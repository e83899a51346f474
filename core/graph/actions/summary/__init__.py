"""Summaries of a document by the shape of its kind, without a model."""
