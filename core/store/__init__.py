"""Engines behind protocols: the truth (SQLite or MongoDB), the index (embedded or Qdrant), files, checkpoints."""
