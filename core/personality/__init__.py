"""Manages the assistant's personality: parses its YAML text, and derives a prompt and the rules for answers without a
model."""
