"""Runs the agent: a question, documents and memory → run events that end in an answer, a question or an error."""
