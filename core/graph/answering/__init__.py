"""Makes an answer: gathers evidence, builds the prompt and generates the text; without a model, quotes passages."""
