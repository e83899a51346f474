"""The assistant's voice: *YAML text* → a personality, its prompt, and the rules that bind without a model."""
