"""Answers from running text: question and passages → the words, figure, date, list or sentence that answers."""
