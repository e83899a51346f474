"""Answers from running text: takes a question and passages; returns an answer of a few words, a figure, a date, a list
or a sentence."""
