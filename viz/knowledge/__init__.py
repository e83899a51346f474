"""The knowledge graph as it is drawn and taken away."""
