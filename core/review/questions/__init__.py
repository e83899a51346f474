"""Questions that a document can answer, made from its tables, labels and sentences."""
