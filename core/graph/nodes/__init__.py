"""Nodes of the agent, one a file: *services and state* → what changes in the state."""
