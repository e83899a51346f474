"""Contains the graph nodes that call tools without a model, ask for consent, and read the web pages that a question
names."""
