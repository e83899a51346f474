"""Answers from running text: takes a question and passages; returns the words, figure, date, list or sentence."""
