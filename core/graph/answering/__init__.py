"""Makes an answer: gathers its evidence, builds the prompt, generates the text, or quotes passages without a model."""
