"""Reads a question in words as a query over datasets, without a language model."""
