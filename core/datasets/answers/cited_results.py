"""Finds the results of queries that an answer cites."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Response, Source
from core.records.answer import CITATION


def cited_results(response: Response, sources: Sequence[Source]) -> list[Source]:
    """Returns the sources with the result of a query that the answer cites, in the order of their first citation; each
    query once."""
    known = {source.number: source for source in sources if source.data}
    found: dict[str, Source] = {}
    for number in map(int, CITATION.findall(response.text)):
        source = known.get(number)
        if source and source.data:
            found.setdefault(source.data.query, source)
    return list(found.values())


def results_below(response: Response, sources: Sequence[Source]) -> list[Source]:
    """Returns the cited results without the one that the first line of the answer shows."""
    shown = response.answer.data.query if response.answer and response.answer.data else None
    return [source for source in cited_results(response, sources) if source.data and source.data.query != shown]
