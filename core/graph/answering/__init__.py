"""Makes an answer: gathers its evidence, builds the prompt and generates the text, or, without a model, quotes
passages."""
