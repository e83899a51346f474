"""Runs the retrieval pipeline: analyse, get candidates, calibrate, fuse, weigh, rerank, explain."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.errors import explain
from core.messages import message
from core.models.embeddings import Calibration, Embeddings
from core.models.precedence import QuestionPrecedence
from core.models.reranker import Reranker
from core.question.analysis import Analysis, analyse, analyse_focused
from core.resilience.dependencies import Deadline
from core.search.item_cache import ItemCache
from core.search.request import ScoredHit, SearchRecord, SearchRequest, SearchResult, Stage, Steps, silent
from core.search.result_cache import ResultCache
from core.search.retrievers import Dependencies, FallbackLane, RetrieverResult, Retrievers
from core.search.scoring import calibration
from core.search.scoring.dense_confidence import dense_confidence
from core.search.scoring.episodes import Episodes, fuse_episodes
from core.search.scoring.figure_rows import figures_share
from core.search.scoring.fusion import fuse_rrf, fuse_weighted
from core.search.scoring.headings import heading_share
from core.search.scoring.neighbour_smoothing import smooth_by_neighbours
from core.search.scoring.reranking import Reranking
from core.search.scoring.row_labels import labels_of
from core.search.scoring.section_roles import demote_roles
from core.setting_groups import Search
from core.store.index import Index, Vector
from core.store.items import ItemText, MemoryItem
from core.store.scope import GroupOf, no_group
from core.words import Words

log = logging.getLogger(__name__)

LANE_DEPTH = 128
"""Minimum number of candidates that each retriever fetches; keyword scores are calibrated among these, and neighbours
are looked up among these. With 64, code search loses a point of Pass@10; for Hebrew paragraphs the result is the
same."""

MOST_TOUCHED = 32
"""Maximum number of items that one search returns: slightly more than an answer may show."""

Load = Callable[[str, Sequence[str]], Awaitable[list[MemoryItem]]]
"""Takes user and item ids; returns the items visible now, according to the record store."""

Around = Callable[[str, Sequence[MemoryItem]], Awaitable[list[ItemText]]]
"""Takes user and items; returns the neighbours of these items in their episodes."""

Weigh = Callable[[Sequence[ScoredHit]], None]
"""Sets each hit's ``weighed`` from its ``fused`` score and ``company`` (the bonus from its context); may also set
``learned`` and ``authority``."""


@dataclass(frozen=True)
class RankingQuestion:
    """A question as ranking profiles get it.

    ``vector`` is ``None`` if there was no embedding search; ``text`` is the question as asked, including the parts that
    ``analysis`` leaves out because they became a filter.
    """

    user_id: str
    analysis: Analysis
    vector: Vector | None
    text: str


Touch = Callable[[str, Sequence[str]], None]
"""Called with a user and the best found items that have no embedding yet, best first."""

Profile = Callable[[RankingQuestion, Sequence[MemoryItem]], Awaitable[Weigh]]
"""A ranking profile: loads the data that it needs about the candidates; returns a function that sets their weighted
scores."""


def by_relevance(candidates: Sequence[ScoredHit]) -> None:
    """Uses the relevance as the weighted score, without other factors."""
    for each in candidates:
        each.weighed = each.fused + each.company


def constant_profile(weigh: Weigh) -> Profile:
    """Returns a profile that weighs every question in the same way."""

    async def profile(asked: RankingQuestion, items: Sequence[MemoryItem]) -> Weigh:
        return weigh

    return profile


RELEVANCE = constant_profile(by_relevance)
"""The profile for documents."""


class Pipeline(Protocol):
    """Anything that searches: takes a question; returns its hits, best first."""

    async def search(
        self, request: SearchRequest, deadline: Deadline, steps: Steps = silent, profile: Profile = RELEVANCE
    ) -> SearchResult: ...


@dataclass(frozen=True)
class _Search:
    """One search: the request and the retrievers' results; ``None`` for a retriever that could not run."""

    request: SearchRequest
    analysis: Analysis
    deadline: Deadline
    record: SearchRecord
    dense: RetrieverResult | None
    lexical: RetrieverResult | None


class SearchPipeline:
    """The search pipeline for documents and memories; they differ only in the request and the ranking profile."""

    def __init__(
        self,
        index: Index,
        embeddings: Embeddings | None,
        reranker: Reranker | None,
        load: Load,
        fallback: FallbackLane,
        dependencies: Dependencies,
        settings: Search,
        dense_off: Words | None = None,
        around: Around | None = None,
        touch: Touch = lambda user_id, ids: None,
        group_of: GroupOf = no_group,
    ) -> None:
        self._group_of = group_of
        self._touch = touch
        self._around = around
        self._lanes = Retrievers(index, embeddings, dependencies, fallback, dense_off)
        self._calibration = embeddings.identity.calibration if embeddings else Calibration(0.0, 1.0)
        self._reranking = Reranking(reranker, dependencies.reranker, settings)
        self._load = load
        self._dependencies = dependencies
        self._settings = settings
        self._counts = ItemCache(calibration.item_terms)
        self._labels = ItemCache(lambda item: labels_of(item.text))
        self._recent = ResultCache()

    async def search(
        self, request: SearchRequest, deadline: Deadline, steps: Steps = silent, profile: Profile = RELEVANCE
    ) -> SearchResult:
        """Returns the best ``limit`` hits, each with an explanation. Never raises for a failed stage: it is skipped and
        reported."""
        request = replace(request, org_id=self._group_of(request.user_id))
        analysis = analyse_focused(request.focus) if request.focus else analyse(request.text)
        record = SearchRecord(analysis.language)
        with steps("candidates") as step:
            depth = max(LANE_DEPTH, request.limit)
            dense, lexical = await self._lanes.ask(request, analysis, depth, deadline, record)
            found = _Search(request, analysis, deadline, record, dense, lexical)
            items = await self._seen(found)
            around = await self._neighbours(found, items)
            record.candidates = len(items)
            step.detail(message("search.pipeline.candidates", count=len(items)))
        with steps("ranking") as step:
            began = time.monotonic()
            asked = RankingQuestion(request.user_id, analysis, dense.vector if dense else None, request.text)
            weigh = await self._weigh(found, profile, asked, items)
            ranked = await asyncio.to_thread(self._ranked_candidates, found, items, around, weigh)
            record.stages.append(Stage("rank", (time.monotonic() - began) * 1000, len(ranked)))
            step.detail(_by_lanes(dense, lexical))
        with steps("reranking") as step:
            reason = await self._reranking.apply(analysis.text, ranked, request.limit, deadline, record)
            if reason:
                step.skip(reason)
        best = sorted(ranked, key=_likeliest_first)
        hits = sorted(best[: request.limit], key=_best_first)
        if unknown := [each.item.id for each in best if not each.item.embedded and each.item.wants_vector]:
            self._touch(request.user_id, unknown[:MOST_TOUCHED])
        if dense or lexical:
            self._recent.remember(request, [each.item.id for each in hits])
        return SearchResult(hits, record)

    async def _seen(self, search: _Search) -> list[MemoryItem]:
        request, lanes = search.request, [lane for lane in (search.dense, search.lexical) if lane is not None]
        ids = list(dict.fromkeys(item_id for lane in lanes for item_id in lane.scores))
        if not lanes:
            ids = self._recent.recall(request)
            search.record.skipped[:] = [_FROM_MEMORY if ids else _NOTHING_ANSWERS]
        try:
            items = await self._dependencies.truth.attempt(lambda: self._load(request.user_id, ids), search.deadline)
        except Exception as error:
            log.warning("candidates could not be read: %s", error)
            search.record.skipped.append(explain(error).what)
            return []
        return [item for item in items if _allowed(item, request)]

    async def _neighbours(self, search: _Search, items: Sequence[MemoryItem]) -> list[ItemText] | None:
        """Returns neighbours for an episodic search; ``None`` for any other."""
        around, request = self._around, search.request
        if not request.episodic or around is None:
            return None
        try:
            return await self._dependencies.truth.attempt(lambda: around(request.user_id, items), search.deadline)
        except Exception as error:
            log.warning("neighbours could not be read: %s", error)
            return []

    async def _weigh(
        self, search: _Search, profile: Profile, asked: RankingQuestion, items: Sequence[MemoryItem]
    ) -> Weigh:
        try:
            return await self._dependencies.truth.attempt(lambda: profile(asked, items), search.deadline)
        except Exception as error:
            log.warning("what was learned could not be read: %s", error)
            search.record.skipped.append(_NOTHING_LEARNED)
            return by_relevance

    def _ranked_candidates(
        self, search: _Search, items: Sequence[MemoryItem], around: Sequence[ItemText] | None, weigh: Weigh
    ) -> list[ScoredHit]:
        analysis, record = search.analysis, search.record
        candidates = [ScoredHit(item) for item in items]
        counts = self._counts.of_all([*items, *(around or ())])
        self._calibrate(search, candidates, [counts[item.id] for item in items])
        record.trust = dense_confidence(candidates) if search.dense else 0.0
        record.confidence = calibration.confidence(
            max((each.strength for each in candidates), default=None), self._settings
        )
        if self._settings.fusion == "rrf":
            fuse_rrf(candidates, self._settings.rrf_k)
        elif around is not None:
            fuse_episodes(analysis, candidates, Episodes(candidates, around, lambda item: counts[item.id]))
        else:
            fuse_weighted(candidates, record.trust)
            demote_roles(candidates, analysis.roles)
            smooth_by_neighbours(candidates)
        weigh(candidates)
        for each in candidates:
            each.final = each.weighed * each.authority
        return sorted(candidates, key=_likeliest_first)

    def _calibrate(self, search: _Search, candidates: Sequence[ScoredHit], counts: Sequence[Counter[str]]) -> None:
        analysis, dense, lexical = search.analysis, search.dense, search.lexical
        words = calibration.lexical(analysis.terms, analysis.expanded, counts)
        dense_ranks = dense.ranks if dense else {}
        lexical_ranks = lexical.ranks if lexical else {}
        floor = min(dense.scores.values(), default=0.0) if dense else 0.0
        if analysis.sought.figures or analysis.sought.statements:
            for each in candidates:
                each.figures = figures_share(analysis.sought, self._labels.of(each.item))
        for each in candidates if analysis.headings else ():
            book = each.item.source.book
            each.heading = heading_share(analysis.headings, book.path) if book else 0.0
        for each, share in zip(candidates, words, strict=True):
            each.lexical = min(1.0, share)
            each.lexical_rank = lexical_ranks.get(each.item.id)
            each.bm25 = lexical.scores.get(each.item.id) if lexical else None
            each.dense_rank = dense_ranks.get(each.item.id)
            each.cosine = dense.scores.get(each.item.id) if dense else None
            if dense and (each.cosine is not None or each.item.embedded):
                each.dense = self._calibration.strength(each.cosine if each.cosine is not None else floor)


class CurrentPipeline:
    """A replaceable pipeline: ``renew`` builds it again, so that objects that hold this one get embedding search as
    soon as it becomes available.

    While a search runs, it holds ``precedence`` over background work.
    """

    def __init__(self, build: Callable[[], Pipeline], precedence: QuestionPrecedence) -> None:
        self._build = build
        self._precedence = precedence
        self._current = build()

    def renew(self) -> None:
        self._current = self._build()

    async def search(
        self, request: SearchRequest, deadline: Deadline, steps: Steps = silent, profile: Profile = RELEVANCE
    ) -> SearchResult:
        with self._precedence:
            return await self._current.search(request, deadline, steps, profile)


def _allowed(item: MemoryItem, request: SearchRequest) -> bool:
    return (
        (item.user_id == request.user_id or (request.org_id is not None and item.org_id == request.org_id))
        and item.status == "active"
        and item.tier in request.tiers
        and item.scope in request.scopes
        and (request.document_ids is None or item.document_id in request.document_ids)
    )


def _likeliest_first(each: ScoredHit) -> tuple[bool, float, str]:
    """Sort key: items known to answer the question are first, the rest are sorted by score; items known not to answer
    are not moved."""
    return each.precedence < 1, -each.final, each.item.id


def _best_first(each: ScoredHit) -> tuple[int, float, str]:
    """Sort key for display."""
    return -each.precedence, -each.final, each.item.id


def _by_lanes(dense: RetrieverResult | None, lexical: RetrieverResult | None) -> Words:
    by_meaning, by_words = len(dense.scores) if dense else 0, len(lexical.scores) if lexical else 0
    return message("search.pipeline.by_lanes", by_meaning=by_meaning, by_words=by_words)


_FROM_MEMORY = message("search.pipeline.from_memory")
_NOTHING_LEARNED = message("search.pipeline.nothing_learned")
_NOTHING_ANSWERS = message("search.pipeline.nothing_answers")
