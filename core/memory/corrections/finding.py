"""Finds the passage of a user's documents that holds a typed value and answers the question.

The value alone is often in many passages ("90 days"). So documents that the question names come first, then those that
the answer cited, and among the sentences with the value the nearest to the question wins.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.language.detection import detect
from core.language.sentences import split_sentences
from core.memory.corrections.records import Pin
from core.memory.corrections.values import NUMBERS_ONLY, firmness
from core.memory.items.reading import PASSAGES
from core.memory.retrieval import Retrieval
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery
from core.search.request import SearchRequest
from core.store.index import Vector
from core.store.items import LIBRARY, MemoryItem
from core.words import Language

log = logging.getLogger(__name__)

CANDIDATES = 60
"""Passages that each search contributes."""
SMALL = 400
"""Maximum number of passages of a library that is read through."""
MOST_READ = 1_500
"""Maximum number of passages of one document that are read through."""
MOST_NAMED = 4
"""Maximum number of documents that are read through."""
MOST_COMPARED = 48
"""Maximum number of sentences that are compared with the question by embeddings."""
MOST_FOREIGN = 12
"""Maximum number of passages in another language whose sentences are compared with the value."""
LONGEST = 400
"""Maximum number of characters of a sentence that are embedded, and of a pin's quotation."""
NAMED, CITED = 0.5, 0.1
"""Added to the score of a sentence in a document that the question names, or that the answer cited."""
BACKGROUND = 24
"""Number of sentences of a language whose mean similarity is deducted: cosines of texts in two languages are lower."""
SPREAD = 0.5
"""Factor on the firmness of a value that is spread over several sentences of a passage."""
MEANT = 0.35
"""Minimum similarity above the mean for a sentence in another language to say the value in other words."""
SECONDS = 8.0


@dataclass(frozen=True)
class Place:
    """A sentence that may hold the value."""

    item: MemoryItem
    text: str
    firmness: float


@dataclass
class _Found:
    """The passages to look at, the ids of those that were found by search (the nearest first), and the documents that
    the question names or the answer cited."""

    items: dict[str, MemoryItem] = field(default_factory=dict)
    nearest: list[str] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    cited: set[str] = field(default_factory=set)


@dataclass
class PassageFinder:
    """Searches all documents that the user may see in a conversation."""

    _retrieval: Retrieval

    async def find(
        self, user_id: str, question: str, value: str, conversation_id: str | None, cited: Sequence[str]
    ) -> tuple[Pin | None, Vector | None]:
        """The best passage with the value and the mean direction of sentences in its language; ``None`` if there is
        none. ``cited`` are the passages that the answer cited."""
        found = await self._passages(user_id, question, value, conversation_id, cited)
        places = await asyncio.to_thread(_places, list(found.items.values()), value)
        if not places:
            places = await self._in_other_language(found, value)
        best = await self._best(places, found, question)
        return (_pin(best), await self._usual(detect(best.text), found)) if best else (None, None)

    async def _usual(self, language: Language, found: _Found) -> Vector | None:
        embeddings = self._retrieval.embeddings_first
        texts = await asyncio.to_thread(_background, list(found.items.values()), {language})
        if embeddings is None or not texts or self._retrieval.dense_off is not None:
            return None
        try:
            mean: Vector = np.asarray(await embeddings.embed_passages([each[:LONGEST] for each in texts])).mean(axis=0)
            return mean
        except Exception:
            log.warning("a correction is stored without the mean of its language", exc_info=True)
            return None

    async def in_document(self, user_id: str, document_id: str, question: str, value: str) -> Pin | None:
        """The best passage of one document, for a pin whose passage is gone because the document was read again."""
        items = await self._retrieval.items.of_document(user_id, document_id, MOST_READ)
        places = await asyncio.to_thread(_places, items, value)
        best = await self._best(places, _Found({item.id: item for item in items}), question)
        return _pin(best) if best else None

    async def _passages(
        self, user_id: str, question: str, value: str, conversation_id: str | None, cited: Sequence[str]
    ) -> _Found:
        found = _Found({item.id: item for item in await self._small_library(user_id)})
        shown = await self._retrieval.items.load(user_id, list(cited))
        found.cited = {item.document_id for item in shown if item.document_id}
        deadline = Deadline(SECONDS)
        documents = self._retrieval.documents
        about = await documents.find(DocumentQuery(user_id, question, "deep", conversation_id), deadline)
        if about.reach.documents < about.reach.of:
            found.named = set(about.reach.titles)
        scopes = [LIBRARY, *([conversation_id] if conversation_id else [])]
        for text in (question, f"{question} {value}", value):
            request = SearchRequest(user_id, text, CANDIDATES, ("books",), scopes)
            hits = (await self._retrieval.pipeline.search(request, Deadline(SECONDS))).hits
            found.items |= {hit.item.id: hit.item for hit in hits}
            found.nearest += [hit.item.id for hit in hits]
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
        near = await self._similarities(question, ranked, found)
        scored = [(plain[id(place)] + share, place) for place, share in zip(ranked, near, strict=True)]
        return max(scored, key=lambda pair: pair[0])[1]

    async def _in_other_language(self, found: _Found, value: str) -> list[Place]:
        """The sentences that say the same as the value in another language."""
        own = detect(value)
        near = [found.items[each] for each in dict.fromkeys(found.nearest)]
        foreign = [item for item in near if detect(item.text) != own][:MOST_FOREIGN]
        places = [Place(item, each.text, NUMBERS_ONLY) for item in foreign for each in split_sentences(item.text)]
        meant = await self._similarities(value, places, found)
        return [place for place, share in zip(places, meant, strict=True) if share >= MEANT]

    async def _small_library(self, user_id: str) -> list[MemoryItem]:
        """The user's own passages if there are few."""
        own = {"tier": "books", "scope": LIBRARY, "status": "active", **PASSAGES}
        items = self._retrieval.items
        return await items.find(user_id, own) if await items.count(user_id, own) <= SMALL else []

    async def _similarities(self, text: str, places: Sequence[Place], found: _Found) -> list[float]:
        """The similarity of each sentence to ``text``, less the mean of its language; 0 without an embedding model.
        1 is the width of the model's calibrated range."""
        embeddings = self._retrieval.embeddings_first
        if embeddings is None or not places or self._retrieval.dense_off is not None:
            return [0.0] * len(places)
        languages = [detect(place.text) for place in places]
        others = await asyncio.to_thread(_background, list(found.items.values()), set(languages))
        sentences = [each[:LONGEST] for each in (*(place.text for place in places), *others)]
        try:
            vector = await embeddings.embed_query(text)
            cosines = np.asarray(await embeddings.embed_passages(sentences)) @ vector
        except Exception:
            log.warning("a typed value was looked for by words only", exc_info=True)
            return [0.0] * len(places)
        calibration = embeddings.identity.calibration
        means = {
            language: float(
                np.mean([c for c, own in zip(cosines[len(places) :], others.values(), strict=True) if own == language])
            )
            for language in set(others.values())
        }
        return [
            (float(cosine) - means.get(language, calibration.low)) / (calibration.high - calibration.low)
            for cosine, language in zip(cosines, languages, strict=False)
        ]


def _background(items: Sequence[MemoryItem], languages: Collection[str]) -> dict[str, str]:
    """Some sentences of each language from different passages, with their language."""
    found: dict[str, str] = {}
    for item in items:
        longest = max((each.text for each in split_sentences(item.text)), key=len, default="")
        language = detect(longest)
        if language in languages and sum(own == language for own in found.values()) < BACKGROUND:
            found[longest] = language
    return found


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
        if best < whole * SPREAD and sentences:
            places.append(Place(item, _line_of(value, sentences), whole * SPREAD))
    return places


def _line_of(value: str, sentences: Sequence[str]) -> str:
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
