"""Answers without a language model: takes evidence; returns an answer line, value, cells, calculation and certainty."""
