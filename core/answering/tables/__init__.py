"""Answers from tables without a model: takes a question and tables; returns cells, figures and calculations."""
