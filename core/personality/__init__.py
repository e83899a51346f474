"""Manages the assistant's personality: *YAML text* → a personality, its prompt, and rules for
answers without a model."""
