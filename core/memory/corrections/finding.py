"""Finds the passage of a user's documents that holds a typed value and answers the question.

The value alone is often in many passages ("90 days"). So documents that the question names come first, then those that
the answer cited, and among the sentences with the value the nearest to the question wins.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.language.detection import detect
from core.language.sentences import split_sentences
from core.memory.corrections.records import Pin
from core.memory.corrections.values import NUMBERS_ONLY, firmness
from core.memory.retrieval import Retrieval
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery
from core.search.request import SearchRequest
from core.store.items import LIBRARY, MemoryItem

log = logging.getLogger(__name__)

CANDIDATES = 60
"""Passages that each search contributes."""
MOST_READ = 1_500
"""Maximum number of passages of one document that are read through."""
MOST_NAMED = 4
"""Maximum number of documents that are read through."""
MOST_COMPARED = 48
"""Maximum number of sentences that are compared with the question by embeddings."""
LONGEST = 400
"""Maximum number of characters of a sentence that are embedded, and of a pin's quotation."""
NAMED, CITED = 0.3, 0.1
"""Added to the score of a sentence in a document that the question names, or that the answer cited."""
NEAR = 0.5
"""Weight of the similarity of question and sentence, 0..1."""
MEANT = 0.62
"""Minimum calibrated similarity, 0..1, for a sentence in another language to hold a value without numbers."""
SECONDS = 8.0


@dataclass(frozen=True)
class Place:
    """A sentence that may hold the value."""

    item: MemoryItem
    text: str
    firmness: float


@dataclass
class _Found:
    """The passages to look at, and the documents that the question names or the answer cited."""

    items: dict[str, MemoryItem] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    cited: set[str] = field(default_factory=set)


@dataclass
class PassageFinder:
    """Searches all documents that the user may see in a conversation."""

    _retrieval: Retrieval

    async def find(
        self, user_id: str, question: str, value: str, conversation_id: str | None, cited: Sequence[str]
    ) -> Pin | None:
        """The best passage with the value, or ``None``. ``cited`` are the passages that the answer cited."""
        found = await self._passages(user_id, question, value, conversation_id, cited)
        places = await asyncio.to_thread(_places, list(found.items.values()), value)
        if not places:
            places = await self._in_other_language(found, question, value)
        best = await self._best(places, found, question)
        return _pin(best) if best else None

    async def in_document(self, user_id: str, document_id: str, question: str, value: str) -> Pin | None:
        """The best passage of one document, for a pin whose passage is gone because the document was read again."""
        items = await self._retrieval.items.of_document(user_id, document_id, MOST_READ)
        places = await asyncio.to_thread(_places, items, value)
        best = await self._best(places, _Found(), question)
        return _pin(best) if best else None

    async def _passages(
        self, user_id: str, question: str, value: str, conversation_id: str | None, cited: Sequence[str]
    ) -> _Found:
        found = _Found()
        shown = await self._retrieval.items.load(user_id, list(cited))
        found.cited = {item.document_id for item in shown if item.document_id}
        deadline = Deadline(SECONDS)
        documents = self._retrieval.documents
        about = await documents.find(DocumentQuery(user_id, question, "deep", conversation_id), deadline)
        if about.reach.documents < about.reach.of:
            found.named = set(about.reach.titles)
        scopes = [LIBRARY, *([conversation_id] if conversation_id else [])]
        for text in (value, f"{question} {value}", question):
            request = SearchRequest(user_id, text, CANDIDATES, ("books",), scopes)
            hits = (await self._retrieval.pipeline.search(request, Deadline(SECONDS))).hits
            found.items |= {hit.item.id: hit.item for hit in hits}
        nearest = [source.document_id for source in about.sources]
        for document_id in list(dict.fromkeys([*sorted(found.named), *sorted(found.cited), *nearest]))[:MOST_NAMED]:
            items = await self._retrieval.items.of_document(user_id, document_id, MOST_READ)
            found.items |= {item.id: item for item in items}
        found.items |= {item.id: item for item in shown if item.tier == "books"}
        return found

    async def _best(self, places: Sequence[Place], found: _Found, question: str) -> Place | None:
        if not places:
            return None
        plain = {id(place): place.firmness + _document_bonus(place, found) for place in places}
        ranked = sorted(places, key=lambda place: -plain[id(place)])[:MOST_COMPARED]
        near = await self._similarities(question, [place.text for place in ranked])
        scored = [(plain[id(place)] + NEAR * share, place) for place, share in zip(ranked, near, strict=True)]
        return max(scored, key=lambda pair: pair[0])[1]

    async def _in_other_language(self, found: _Found, question: str, value: str) -> list[Place]:
        """The sentence that says the same as the value in another language, if one is near enough."""
        own = detect(value)
        places = [
            Place(item, sentence.text, NUMBERS_ONLY)
            for item in found.items.values()
            if not found.named or item.document_id in found.named
            for sentence in split_sentences(item.text)
            if detect(sentence.text) != own
        ]
        asked = await self._similarities(question, [place.text for place in places[: 4 * MOST_COMPARED]])
        ranked = sorted(zip(asked, places, strict=False), key=lambda pair: -pair[0])[:MOST_COMPARED]
        meant = await self._similarities(value, [place.text for _, place in ranked])
        return [place for (_, place), share in zip(ranked, meant, strict=True) if share >= MEANT]

    async def _similarities(self, text: str, sentences: Sequence[str]) -> list[float]:
        """The similarity of each sentence to ``text``, 0..1 (calibrated); 0 without an embedding model."""
        embeddings = self._retrieval.embeddings_first
        if embeddings is None or not sentences or self._retrieval.dense_off is not None:
            return [0.0] * len(sentences)
        try:
            vector = await embeddings.embed_query(text)
            matrix = await embeddings.embed_passages([sentence[:LONGEST] for sentence in sentences])
        except Exception:
            log.warning("a typed value was looked for by words only", exc_info=True)
            return [0.0] * len(sentences)
        calibration = embeddings.identity.calibration
        return [calibration.strength(float(cosine)) for cosine in np.asarray(matrix) @ vector]


def _document_bonus(place: Place, found: _Found) -> float:
    if place.item.document_id in found.named:
        return NAMED
    return CITED if place.item.document_id in found.cited else 0.0


def _places(items: Sequence[MemoryItem], value: str) -> list[Place]:
    """The sentences that hold the value; for a passage that holds it only as a whole, its best sentence."""
    places: list[Place] = []
    for item in items:
        whole = firmness(value, item.text)
        if not whole:
            continue
        sentences = [sentence.text for sentence in split_sentences(item.text)]
        held = [Place(item, text, firm) for text in sentences if (firm := firmness(value, text))]
        best = max((place.firmness for place in held), default=0.0)
        places += [place for place in held if place.firmness == best] if best else []
        if best < whole and sentences:
            places.append(Place(item, _line_of(value, item.text, sentences), whole))
    return places


def _line_of(value: str, text: str, sentences: Sequence[str]) -> str:
    """The sentence that holds the most of a value's words."""
    words = value.split()
    return max(sentences, key=lambda sentence: sum(firmness(word, sentence) > 0 for word in words))


def _pin(place: Place) -> Pin:
    book = place.item.source.book
    return Pin(
        document_id=place.item.document_id or "",
        item_id=place.item.id,
        title=book.title if book else "",
        page=book.page if book else None,
        quote=place.text[:LONGEST],
    )
