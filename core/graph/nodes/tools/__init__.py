"""Contains the graph nodes that call tools by rule, ask for consent, and read the web pages that a question names."""
