"""A question that may be offered, and where its answer is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CandidateQuestion:
    """A question about the document ``document_id``. ``subject``: the label, row or noun that it asks about;
    ``expected``: words from which it was made and that its answer has to contain, if known."""

    text: str
    document_id: str
    subject: str
    expected: str = ""
