"""Implements the agent's document actions (summarize, compare, audit) and the checks and additions around an answer."""
