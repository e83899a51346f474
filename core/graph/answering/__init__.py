"""How an answer is made: what it may rest on, the prompt, the generation, and quotations without a model."""
