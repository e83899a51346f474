"""Maintains the knowledge graph: the content, routing and action graphs, read as one."""
