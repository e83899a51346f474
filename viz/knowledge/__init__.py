"""Renders and exports the knowledge graph."""
