"""Copies LangGraph's checkpoints of whole threads as bytes: read from one engine, written unchanged to another.

The checkpointers themselves would rebuild every state with the current types; here nothing is deserialized.
"""
