"""Renders the knowledge graph and exports it."""
