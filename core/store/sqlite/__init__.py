"""Implements the embedded record store on SQLite: one file, one thread that writes to it, a few that read."""
