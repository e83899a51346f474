"""Answers from running text: question and passages → the words, figure, date, list or sentence that answers."""

from core.answering.prose.answer import answer_from_text

__all__ = ["answer_from_text"]
