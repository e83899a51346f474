"""Finds the kinds of reports that a question names, such as an annual report."""

from __future__ import annotations

import re

from core.language.vocabulary import phrases

_phrase = phrases("search/query.subject")

_REPORT = _phrase("report")
_KINDS = {
    "annual report": re.compile(rf"\b10-?K\b|\bannual report|{_REPORT} {_phrase('annual')}", re.IGNORECASE),
    "quarterly report": re.compile(rf"\b10-?Q\b|\bquarterly report|{_REPORT} {_phrase('quarterly')}", re.IGNORECASE),
    "current report": re.compile(
        rf"\b8-?K\b|\bcurrent report|(?:{_phrase('immediate_report')}|{_REPORT}) {_phrase('immediate')}",
        re.IGNORECASE,
    ),
    "earnings release": re.compile(
        rf"\bearnings (?:release|call|report)|\bpress release|{_phrase('release')}",
        re.IGNORECASE,
    ),
}
"""Common names for the kinds of documents that companies file."""


def kinds_in(question: str) -> dict[str, str]:
    """Returns the kinds of reports that ``question`` names, each with the words that name it."""
    return {kind: match.group() for kind, pattern in _KINDS.items() if (match := pattern.search(question))}
