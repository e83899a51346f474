"""Extracts findings from documents with a language model: quotes, mental models and summaries."""
