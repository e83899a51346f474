"""The agent: *question, documents, memory* → events of a run that ends in an answer, a question back, or an error."""
