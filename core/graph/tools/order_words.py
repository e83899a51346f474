"""Extracts the user's own words from a request about whole documents, without document names and audited text.

Otherwise a document title or an audited text could trigger a tool, for example because it mentions open data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from core.graph.state import State, asked_in_full
from core.graph.understanding.intent.rules import clauses
from core.graph.understanding.mentions import without_mentions

_CLAUSE_ENDS = re.compile(r"[.;?!\n]+\s*|,\s+(?:(?:and|then|also)\s+)*")


def order_of(state: State) -> str:
    """Returns the request; for an audit, only the words outside the audited text."""
    order = without_mentions(asked_in_full(state))
    text = state["asked"].source_text
    if text:
        order = order.replace(text, " ")
    for name in _names(state):
        order = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", order, flags=re.IGNORECASE)
    return " ".join(order.split())


def clauses_of(order: str) -> list[str]:
    """Returns the parts of a request, shortest first, and the whole request last."""
    parts = [each.strip() for clause in clauses(order) for each in _CLAUSE_ENDS.split(clause) if each.strip()]
    return [*sorted(parts, key=len), order] if len(parts) > 1 else [order]


def _names(state: State) -> Sequence[str]:
    documents = [each for each in state["found"].sources if each.kind == "document"]
    names = [name for each in documents for name in (each.title, each.filename, PurePath(each.filename).stem)]
    return sorted({name for name in names if name.strip()}, key=len, reverse=True)
