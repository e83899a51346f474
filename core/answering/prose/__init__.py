"""Answers from running text: takes a question and passages; returns words, a figure, a date, a list or a sentence."""
