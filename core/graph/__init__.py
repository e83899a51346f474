"""Runs the agent: takes a question, documents and memory; yields a run's events, ending in an answer, a question to the
user or an error."""
