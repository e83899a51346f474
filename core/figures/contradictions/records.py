"""Defines a contradiction: two documents print different values for the same figure."""

from __future__ import annotations

from pydantic import BaseModel

from core.figures.stored.records import StoredFigure


class Contradiction(BaseModel, frozen=True):
    """Two cells of two documents that report the same figure at the same period with different values."""

    first: StoredFigure
    second: StoredFigure

    def other(self, document_id: str) -> StoredFigure:
        """Returns the cell of the document that is not this one."""
        return self.second if self.first.document_id == document_id else self.first
