"""Nodes of the agent, one a file: *services* → a function from the state to what changes in it."""
