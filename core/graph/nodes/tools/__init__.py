"""Contains the nodes that call tools without a model, ask for consent, and read web pages named in a question."""
