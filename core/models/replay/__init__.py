"""Recorded calls of a chat model, and the model that answers from them."""
