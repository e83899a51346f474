"""Maintains the knowledge graph, which combines three graphs: content, routing and actions."""
