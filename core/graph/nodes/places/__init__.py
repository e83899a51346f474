"""Nodes that answer a message without a search of the documents, and the decision where a message goes."""
