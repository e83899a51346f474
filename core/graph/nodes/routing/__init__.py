"""Nodes and parts of nodes that send a message to where its answer comes from."""
