"""Recorded calls of chat models, and the questions they are recorded with."""
