"""Implements the memory: *questions, answers and feedback* → items, retrieved by similarity and past usefulness."""
