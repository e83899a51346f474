"""Searches the library's full text: takes words; returns snippets ("places") that contain them, by document.

The keyword index finds passages, which are then read. A place ranks by how many different search words it contains, so
one with all of them ranks higher than one that repeats a single word.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

from core.ids import record_id
from core.language import hebrew
from core.language.detection import detect
from core.language.normalisation import fold
from core.language.terms import is_stop_word, query_terms, stem
from core.resilience.dependencies import Dependency
from core.search.documents.records import FoundIn, Piece, Place
from core.search.request import SearchRequest
from core.search.retrievers import FallbackLane
from core.search.sparse_vectors import query_vector
from core.store.index import Index, Where
from core.store.items import LIBRARY, MemoryItem
from core.store.scope import GroupOf, no_group

log = logging.getLogger(__name__)

MOST_CANDIDATES = 400
HITS_A_DOCUMENT = 3
NEARLY_ALL = 0.75
"""Minimum share of the search words that a place (snippet) must contain. Unlike in a search for a question, a single
word is not enough."""
SNIPPET = 180
"""Maximum number of characters shown of a place (snippet)."""
BEFORE = 60
"""Maximum number of characters shown before the first found word."""

_WORD = re.compile(r"[^\W_]+(?:[.,'\"’][^\W_]+)*")

Load = Callable[[str, Sequence[str]], Awaitable[list[MemoryItem]]]
"""Loads a user's items by id; leaves out deleted ones."""


@dataclass
class TextSearch:
    """Searches the texts that a user may see; if the keyword index is not available, searches the record store
    instead."""

    _index: Index
    _load: Load
    _fallback: FallbackLane
    _lexical: Dependency
    _group_of: GroupOf = no_group

    async def find(self, user_id: str, text: str) -> list[FoundIn]:
        """Returns the library's documents that contain the words, best first."""
        terms, words = query_terms(text, detect(text)), wanted_words(text)
        if not terms or not words:
            return []
        scores = await self._candidates(user_id, text, terms)
        items = [item for item in await self._load(user_id, list(scores)) if item.scope == LIBRARY]
        return await asyncio.to_thread(_matching_documents, items, scores, words)

    async def _candidates(self, user_id: str, text: str, terms: list[str]) -> dict[str, float]:
        allowed = {"tier": ["books"], "scope": [LIBRARY]}
        group = self._group_of(user_id)
        where = Where(user_id, any_of=allowed, none_of={"status": ["deleted", "archived"]}, org_id=group)
        try:
            hits = await self._lexical.attempt(
                lambda: self._index.query_lexical(query_vector(terms), where, MOST_CANDIDATES)
            )
        except Exception as error:
            log.warning("the text itself is searched: %s", error)
            request = SearchRequest(user_id, text, MOST_CANDIDATES, ("books",), (LIBRARY,), org_id=group)
            return dict(await self._fallback(request, terms, MOST_CANDIDATES))
        return {record_id("mem", hit.id): hit.score for hit in hits}


def _matching_documents(items: Sequence[MemoryItem], scores: dict[str, float], words: Sequence[str]) -> list[FoundIn]:
    """Returns the places (snippets) with the most search words; none if no place has nearly all of them."""
    counted = [(_words_present(item.text, words), item) for item in items]
    most = max((count for count, _ in counted), default=0)
    least = ceil(NEARLY_ALL * len(words))
    kept = [item for count, item in counted if count == most >= least]
    return _by_document(sorted(kept, key=lambda item: (-scores[item.id], item.id)), words)


def wanted_words(text: str) -> list[str]:
    """Returns the search words, folded, without duplicates; stop words only if there are no others."""
    words = list(dict.fromkeys(_plain_word(match.group()) for match in _WORD.finditer(fold(text))))
    return [word for word in words if not is_stop_word(word)] or words


def marked(text: str, words: Sequence[str]) -> tuple[Piece, ...]:
    """Returns the line of ``text`` that contains the most of ``words``, split into found words and the text between
    them."""
    spans = [match.span() for match in _WORD.finditer(text) if any(_is(match.group(), word) for word in words)]
    start = _line_start(text, _densest(text, spans, words))
    end = min(len(text), start + SNIPPET)
    if end < len(text):
        end = max(text.rfind(" ", start + SNIPPET // 2, end), start + SNIPPET // 2)
    pieces, at = [], start
    for begin, stop in spans:
        if start <= begin and stop <= end:
            pieces += [Piece(text[at:begin], False), Piece(text[begin:stop], True)]
            at = stop
    pieces.append(Piece(text[at:end], False))
    flat = [replace(piece, text=re.sub(r"\s+", " ", piece.text)) for piece in pieces if piece.text]
    return (
        *([Piece("…", False)] if start else []),
        *flat,
        *([Piece("…", False)] if end < len(text) else []),
    )


def _densest(text: str, spans: Sequence[tuple[int, int]], words: Sequence[str]) -> int:
    """Returns the start of the line with the most different words; the first of equal ones."""

    def held(begin: int) -> int:
        inside = [text[start:stop] for start, stop in spans if begin <= start and stop <= begin + SNIPPET - BEFORE]
        return sum(any(_is(word_inside, word) for word_inside in inside) for word in words)

    return max((start for start, _ in spans), key=held, default=0)


def _line_start(text: str, at: int) -> int:
    if at <= BEFORE:
        return 0
    blank = text.find(" ", at - BEFORE, at)
    return blank + 1 if blank >= 0 else at


def _words_present(text: str, words: Sequence[str]) -> int:
    """Returns how many of the words are in ``text``."""
    held = {match.group() for match in _WORD.finditer(text)}
    return sum(any(_is(each, word) for each in held) for word in words)


@lru_cache(maxsize=100_000)
def _is(held: str, word: str) -> bool:
    folded = _plain_word(fold(held))
    if folded == word:
        return True
    if hebrew.is_hebrew(word):
        return hebrew.is_hebrew(folded) and hebrew.related(word, folded)
    return stem(folded) == stem(word)


def _plain_word(word: str) -> str:
    return re.sub(r"(?<=\d),(?=\d{3})", "", word).removesuffix("'s")


def _by_document(items: Sequence[MemoryItem], words: Sequence[str]) -> list[FoundIn]:
    found: dict[str, list[MemoryItem]] = {}
    for item in items:
        found.setdefault(item.document_id or "", []).append(item)
    return [
        FoundIn(
            document_id,
            tuple(_marked_place(each, words) for each in best[:HITS_A_DOCUMENT]),
            max(len(best) - HITS_A_DOCUMENT, 0),
        )
        for document_id, best in found.items()
    ]


def _marked_place(item: MemoryItem, words: Sequence[str]) -> Place:
    book = item.source.book
    return Place(item.id, book.page if book else None, book.section if book else None, marked(item.text, words))
