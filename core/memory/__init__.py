"""Implements the memory: stores questions, answers and feedback as items, and retrieves them by similarity and
usefulness."""
