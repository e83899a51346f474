"""Steps of the graph that call tools by rule, ask before one is used, and read the pages that a question names."""
