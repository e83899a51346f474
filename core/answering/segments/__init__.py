"""Parts of a company: which segment, category or nominee is ahead, grew most, or is more than a share of the whole."""

from core.answering.segments.answers import answer_from_segments

__all__ = ["answer_from_segments"]
