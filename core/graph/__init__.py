"""Runs the agent: takes a question, documents and memory; emits events up to an answer, a question or an error."""
