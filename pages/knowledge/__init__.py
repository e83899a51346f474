"""Views of the knowledge graph that the Knowledge tab asks for, and its timeline."""
