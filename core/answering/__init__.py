"""Answers without a language model: evidence → an answer line with value, cells, calculation and certainty."""
