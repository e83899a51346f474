"""Finds an answer's evidence: the passages it cites and the memories it used."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from core.events import Response, Source
from core.store.items import MemoryItem

_NUMBER = re.compile(r"\[(\d{1,3})\]")
_MEMORY = re.compile(r"\[M(\d{1,2})\]")
_MARKER = re.compile(r"(?:(?<!\s)\s++)?+\[M?\d{1,3}\]")
_QUOTE_MARK = re.compile(r"^> ?", re.MULTILINE)


def cited_passages(response: Response, sources: Sequence[Source]) -> dict[str, int]:
    """Returns the passages that an answer quotes, or the best one of each cited source, in order: id to number."""
    documents = [source for source in sources if source.kind == "document"]
    known = {source.number for source in documents}
    if response.quotes:
        return {quote.item_id: quote.number for quote in response.quotes if quote.number in known}
    best = {
        source.number: max(source.passages, key=lambda each: each.score).item_id
        for source in documents
        if source.passages and source.table is None
    }
    numbers = dict.fromkeys(int(number) for number in _NUMBER.findall(response.text))
    return {best[number]: number for number in numbers if number in best}


def used_memories(
    text: str, positions: Mapping[int, str], recalled: Sequence[MemoryItem], passages: Collection[str]
) -> list[str]:
    """Returns the ids of memories that an answer cites ([M1]), and of earlier questions and answers that used the same
    passages."""
    numbers = [int(number) for number in _MEMORY.findall(text)]
    referred = [positions[number] for number in numbers if number in positions]
    shared = [item.id for item in recalled if item.exchange and not set(passages).isdisjoint(item.exchange.memory_ids)]
    return list(dict.fromkeys([*referred, *shared]))


def plain(text: str) -> str:
    """Returns an answer's text for the memory: without citation and quotation markers."""
    return _QUOTE_MARK.sub("", _MARKER.sub("", text)).strip()
