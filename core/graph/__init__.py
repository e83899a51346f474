"""Runs the agent: takes a question, documents and memory; emits events that end in an answer, a question to the user,
or an error."""
