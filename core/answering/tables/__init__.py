"""Answers from tables, without a model: a question and tables → cells, figures, calculations."""
