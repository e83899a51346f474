"""Answers questions without a language model: takes evidence; returns an answer line with value, cells, calculation and
certainty."""
