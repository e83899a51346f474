"""Contains the agent's graph nodes, one per file; each takes services and state and returns state changes."""
