"""The embedded truth on SQLite: one file, one thread that writes it, a few that read."""
