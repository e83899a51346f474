"""Answers without a language model: takes the evidence; returns an answer line with value, table cells, calculation and
certainty."""
