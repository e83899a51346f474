"""Interprets a message: which action it requests and which documents it refers to."""
