"""Plans questions of several steps: one sub-question per organisation, with its own evidence."""
