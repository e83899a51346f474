"""Measures over financial statements without a model: question and statements → value, change, ratio or judgement."""

from core.answering.measures.answers import answer_from_statements

__all__ = ["answer_from_statements"]
