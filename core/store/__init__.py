"""Provides protocols for the databases and their implementations: record store, index, files, checkpoints."""
