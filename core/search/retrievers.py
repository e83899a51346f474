"""Runs the two retrievers (embeddings and keywords), each with its own circuit breaker and share of the deadline."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass

from core.errors import explain
from core.ids import record_id
from core.messages import message
from core.models.embeddings import Embeddings
from core.question.analysis import Analysis
from core.records.memory_meta import Tier
from core.resilience.dependencies import Deadline, Dependency
from core.search.request import SearchRecord, SearchRequest, Stage
from core.search.sparse_vectors import query_vector
from core.store.index import Hit, Index, SparseVector, Vector, Where
from core.store.items import FINDINGS_APART, FINDINGS_SCOPES
from core.words import Words

log = logging.getLogger(__name__)

EXPANSION_WEIGHT = 0.5
"""Weight of a term that was added to the question, such as a synonym. At full weight, synonyms cost half a point of R@1
on HeQ; at half weight, nothing."""

Depth = tuple[Where, int]
"""The filter that selects a tier's items, and the maximum number of candidates from it."""

FallbackLane = Callable[[SearchRequest, list[str], int], Awaitable[list[tuple[str, float]]]]
"""Keyword search without the index: returns item ids and BM25 scores."""


@dataclass(frozen=True)
class Dependencies:
    """A circuit breaker and a share of the search time for each service that a search depends on."""

    dense: Dependency
    lexical: Dependency
    embeddings: Dependency
    reranker: Dependency
    truth: Dependency


@dataclass(frozen=True)
class RetrieverResult:
    """Ranked item ids with raw scores; ``None`` instead of a result means that the retriever could not run.

    ``vector`` is the question's embedding, set by the embedding search.
    """

    scores: dict[str, float]
    vector: Vector | None = None

    @property
    def ranks(self) -> dict[str, int]:
        return {item_id: rank for rank, item_id in enumerate(self.scores, start=1)}


@dataclass
class Retrievers:
    """Queries the index by embeddings and by keywords; failures are skipped and reported."""

    _index: Index
    _embeddings: Embeddings | None
    _dependencies: Dependencies
    _fallback: FallbackLane
    _dense_off: Words | None = None

    async def ask(
        self, request: SearchRequest, analysis: Analysis, depth: int, deadline: Deadline, record: SearchRecord
    ) -> tuple[RetrieverResult | None, RetrieverResult | None]:
        """Runs the embedding (dense) and keyword (lexical) searches in parallel. Each tier is searched separately, so
        that a large tier never displaces a small one, and gives ``depth`` candidates unless the request says
        otherwise."""
        tiers = [
            (_where(request, indexed, scopes), request.depths.get(tier, depth))
            for tier in request.tiers
            for indexed, scopes in _places(request, tier)
        ]
        return await asyncio.gather(
            self._dense_results(tiers, analysis, _embedded_text(request, analysis), deadline, record),
            self._lexical(request, tiers, analysis, deadline, record),
        )

    async def _dense_results(
        self, tiers: Sequence[Depth], analysis: Analysis, subject: str, deadline: Deadline, record: SearchRecord
    ) -> RetrieverResult | None:
        embeddings = self._embeddings
        if embeddings is None or self._dense_off:
            record.skipped.append(self._dense_off or _NO_MODEL)
            return None
        if analysis.language not in embeddings.identity.languages:
            record.skipped.append(_OTHER_LANGUAGE)
            return None
        began = time.monotonic()
        try:
            vector = await self._dependencies.embeddings.attempt(lambda: embeddings.embed_query(subject), deadline)
            hits = await self._dependencies.dense.attempt(
                lambda: _merged_hits([self._index.query_dense(vector, where, depth) for where, depth in tiers]),
                deadline,
            )
        except Exception as error:
            log.warning("the dense lane was left out: %s", error)
            record.skipped.append(message("search.retrievers.without_meaning", why=explain(error).what))
            return None
        return _lane("dense", hits, began, record, vector)

    async def _lexical(
        self,
        request: SearchRequest,
        tiers: Sequence[Depth],
        analysis: Analysis,
        deadline: Deadline,
        record: SearchRecord,
    ) -> RetrieverResult | None:
        terms = [*analysis.terms, *analysis.expanded, *analysis.labels]
        began = time.monotonic()
        if not terms:
            return _lane("lexical", [], began, record)
        vector = _expanded(query_vector(analysis.terms), query_vector([*analysis.expanded, *analysis.labels]))
        try:
            hits = await self._dependencies.lexical.attempt(
                lambda: _merged_hits([self._index.query_lexical(vector, where, depth) for where, depth in tiers]),
                deadline,
            )
            return _lane("lexical", hits, began, record)
        except Exception as error:
            log.warning("the index does not answer: %s", error)
        depth = max((depth for _, depth in tiers), default=0)
        try:
            found = await self._dependencies.truth.attempt(lambda: self._fallback(request, terms, depth), deadline)
        except Exception as error:
            log.warning("the lexical lane was left out: %s", error)
            record.skipped.append(message("search.retrievers.without_words", why=explain(error).what))
            return None
        record.skipped.append(_FROM_TRUTH)
        record.stages.append(Stage("lexical", _since(began), len(found)))
        return RetrieverResult(dict(found))


def _expanded(weights: SparseVector, added: SparseVector) -> SparseVector:
    known = set(weights.indices)
    extra = [(index, value) for index, value in zip(added.indices, added.values, strict=True) if index not in known]
    return SparseVector(
        weights.indices + [index for index, _ in extra],
        weights.values + [EXPANSION_WEIGHT * value for _, value in extra],
    )


def _embedded_text(request: SearchRequest, analysis: Analysis) -> str:
    """Returns the text of the question from which the embedding is made."""
    return without_names(request.focus.asked if request.focus else analysis.text, request.names)


def without_names(question: str, names: Sequence[str]) -> str:
    """Returns the question without the speakers' names; unchanged if nothing else remains."""
    folded = {name.casefold() for name in names}
    words = [word for word in question.split() if _bare_token(word) not in folded]
    return " ".join(words) if words else question


def _bare_token(word: str) -> str:
    return word.strip(".,;:!?\"'()").casefold().removesuffix("'s").removesuffix("’s")


async def _merged_hits(queries: Sequence[Awaitable[list[Hit]]]) -> list[Hit]:
    """Returns the hits of all tiers, best first."""
    found = [hit for hits in await asyncio.gather(*queries) for hit in hits]
    return sorted(found, key=lambda hit: (-hit.score, hit.id))


def _places(request: SearchRequest, tier: Tier) -> Iterator[tuple[str, list[str]]]:
    """Yields the index collections that hold a tier's items: what was extracted from documents is stored separately
    from the documents' passages."""
    findings = [scope for scope in request.scopes if scope in FINDINGS_SCOPES]
    own = [scope for scope in request.scopes if scope not in FINDINGS_SCOPES]
    if own:
        yield tier, own
    if findings and tier == "books":
        yield FINDINGS_APART, findings


def _where(request: SearchRequest, tier: str, scopes: Sequence[str]) -> Where:
    allowed: dict[str, list[str]] = {"tier": [tier], "scope": list(scopes)}
    if request.document_ids is not None:
        allowed["document_id"] = list(request.document_ids)
    return Where(request.user_id, any_of=allowed, none_of={"status": ["deleted", "archived"]}, org_id=request.org_id)


def _lane(
    name: str, hits: list[Hit], began: float, record: SearchRecord, vector: Vector | None = None
) -> RetrieverResult:
    record.stages.append(Stage(name, _since(began), len(hits)))
    return RetrieverResult({record_id("mem", hit.id): hit.score for hit in hits}, vector)


def _since(began: float) -> float:
    return (time.monotonic() - began) * 1000


_NO_MODEL = message("search.retrievers.no_model")
_OTHER_LANGUAGE = message("search.retrievers.other_language")
_FROM_TRUTH = message("search.retrievers.from_truth")
