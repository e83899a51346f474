"""Hides the database engines behind protocols: record store (SQLite or MongoDB), index (embedded or Qdrant), files,
checkpoints."""
