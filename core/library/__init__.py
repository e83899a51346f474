"""Reads files into documents with text, structure, tables and metadata, and into passages that can be searched."""
