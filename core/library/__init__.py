"""The library: *files* → documents with text, structure, tables and metadata, and passages that can be found."""
