"""Answers from tables without a language model: takes a question and tables; returns cells and calculations."""
