"""A memory in a temporary home that is taught as people teach it: by answers and by what is said of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

from benchmarks.profiles import UNTAUGHT, without_company
from benchmarks.shelf import PATIENCE, KeptEmbeddings, open_stores
from core.clock import system_clock
from core.ids import new_id
from core.memory.items.records import AnswerRecord, OutcomeExample
from core.memory.items.speakers import Speakers
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.recording import Outcomes
from core.memory.outcomes.solutions import Solutions
from core.memory.ranking.conditional import CONDITIONAL
from core.memory.ranking.profiles import documents_profile_of, profile_of
from core.memory.recall.records import MemoryQuery
from core.memory.recall.search import MemorySearch
from core.resilience.dependencies import CircuitBreaker, Deadline, Dependency
from core.search.pipeline import Profile, RankingQuestion, SearchPipeline, Weigh
from core.search.query.analysis import Analysis
from core.search.request import ScoredHit, SearchRequest
from core.search.retrievers import Dependencies
from core.settings import Memory
from core.store.items import MEMORY, ItemSource, MemoryItem, Outcome, Place, Quality, Tier, Timestamps

BATCH = 64
SHOWN = 20

Orders = Mapping[str, Sequence[MemoryItem]]
"""Variant to the candidates of one question, best first."""


class Panel:
    """Ranks the same candidates by every variant at once; the pipeline goes on with the one called ``leads``."""

    def __init__(self, variants: Mapping[str, Profile], leads: str) -> None:
        self._variants = variants
        self._leads = leads
        self.orders: dict[str, list[MemoryItem]] = {}

    async def profile(self, asked: RankingQuestion, items: Sequence[MemoryItem]) -> Weigh:
        weighs = {name: await variant(asked, items) for name, variant in self._variants.items()}

        def weigh(analysis: Analysis, candidates: Sequence[ScoredHit]) -> None:
            self.orders = {name: _ranked(each, analysis, candidates) for name, each in weighs.items()}
            weighs[self._leads](analysis, candidates)

        return weigh


def _ranked(weigh: Weigh, analysis: Analysis, candidates: Sequence[ScoredHit]) -> list[MemoryItem]:
    copies = [replace(each) for each in candidates]
    weigh(analysis, copies)
    copies.sort(key=lambda each: (-each.precedence, -each.weighed * each.authority, each.item.id))
    return [each.item for each in copies]


class _ReadOnce:
    """Lessons of the latest candidates, which every variant asks for."""

    def __init__(self, lessons: OutcomeExamples) -> None:
        self._lessons = lessons
        self._last: tuple[str, tuple[str, ...]] = ("", ())
        self._found: dict[str, list[OutcomeExample]] = {}

    def forget(self) -> None:
        self._last = ("", ())

    async def of_memories(self, user_id: str, memory_ids: Sequence[str]) -> dict[str, list[OutcomeExample]]:
        asked = (user_id, tuple(memory_ids))
        if asked != self._last:
            self._found, self._last = await self._lessons.of_memories(user_id, memory_ids), asked
        return self._found


@dataclass
class World:
    """``ask`` ranks, ``answer`` teaches."""

    items: MemoryItems
    answers: Answers
    outcomes: Outcomes
    embeddings: KeptEmbeddings
    search: MemorySearch
    panel: Panel
    lessons: _ReadOnce
    pipeline: SearchPipeline
    passages: Panel
    asked: int = 0
    taught: int = 0
    _tiers: dict[str, Tier] = field(default_factory=dict)

    async def remember(self, user: str, memories: Sequence[MemoryItem]) -> None:
        """Store them, vectors included."""
        for start in range(0, len(memories), 512):
            await self.items.add(user, memories[start : start + 512])
        while waiting := await self.items.pending_vectors(user, None, BATCH):
            vectors = await self.embeddings.embed_passages([each.embedded_text for each in waiting])
            await self.items.set_vectors(waiting, vectors)
        self._tiers.update((each.id, each.tier) for each in memories)

    async def ask(self, user: str, question: str) -> tuple[list[str], Orders]:
        """The ids that a person is shown, and the order of all candidates by variant."""
        self.asked += 1
        self.lessons.forget()
        query = MemoryQuery(user, question, limit=SHOWN, sort_by="relevance")
        result = await self.search.search(query)
        if result.record.skipped:
            raise RuntimeError(f"a stage was left out: {result.record.skipped}")
        return [hit.memory_id for hit in result.hits], self.panel.orders

    async def find(self, user: str, question: str) -> tuple[list[str], Orders]:
        """The same of passages, which are searched as those of documents are."""
        self.asked += 1
        self.lessons.forget()
        request = SearchRequest(user, question, SHOWN, ("books",), (MEMORY,))
        result = await self.pipeline.search(request, Deadline(PATIENCE), profile=self.passages.profile)
        return [hit.item.id for hit in result.hits], self.passages.orders

    async def answer(self, user: str, question: str, shown: Sequence[str], used: Sequence[str], said: Outcome) -> None:
        """An answer that was given with ``shown`` before it and rests on ``used``, and what was said of it."""
        self.taught += 1
        record = AnswerRecord(
            id=new_id("msg"),
            user_id=user,
            question=question,
            positions=list(shown),
            used=list(used),
            tiers={each: self._tiers[each] for each in shown},
            created_at=system_clock(),
        )
        await self.answers.remember(record)
        await self.outcomes.record(user, record.id, said)


@asynccontextmanager
async def open_world(cache: Path | None) -> AsyncIterator[World]:
    """An empty memory that is thrown away afterwards; ``cache`` keeps embeddings between runs."""
    async with open_stores(cache) as stores:
        settings, truth, index = stores.settings, stores.truth, stores.index
        items, embeddings = stores.items, stores.embeddings
        answers, lessons = Answers(truth), OutcomeExamples(truth)
        patient = Dependency("The embedding model", PATIENCE)
        outcomes = Outcomes(truth, items, answers, lessons, system_clock, new_id, settings.memory, embeddings, patient)
        for service in (answers, lessons, outcomes):
            await service.ensure()
        once = _ReadOnce(lessons)
        panel = Panel(_variants(once, embeddings, Solutions(truth)), settings.memory.profile)
        pipeline = SearchPipeline(
            index,
            embeddings,
            None,
            items.load,
            _no_fallback,
            _dependencies(),
            settings.search,
            around=items.around,
        )
        search = MemorySearch(
            lambda: pipeline,
            panel.profile,
            _no_plan,
            system_clock,
            settings.memory,
            PATIENCE,
            Speakers(items, system_clock).of,
        )
        passages = _passages(once, embeddings, settings.memory.profile)
        yield World(items, answers, outcomes, embeddings, search, panel, once, pipeline, passages)


def _passages(lessons: _ReadOnce, embeddings: KeptEmbeddings, leads: str) -> Panel:
    learning = documents_profile_of(Memory(), lessons, embeddings.identity.calibration)
    return Panel({"relevance": UNTAUGHT["relevance"], "conditional": learning}, leads)


def _variants(lessons: _ReadOnce, embeddings: KeptEmbeddings, solutions: Solutions) -> dict[str, Profile]:
    calibration, conditional = embeddings.identity.calibration, Memory()

    def tuned(**changes: bool) -> Profile:
        return profile_of(conditional, lessons, calibration, tuning=replace(CONDITIONAL, **changes))

    return UNTAUGHT | {
        "seed": profile_of(Memory(profile="seed"), lessons, calibration),
        "conditional": profile_of(conditional, lessons, calibration),
        "known solutions": profile_of(conditional, lessons, calibration, solutions.known),
        "ungated": tuned(gated=False),
        "unshrunk": tuned(shrunk=False),
        "quality off": tuned(quality=False),
        "company off": without_company(tuned()),
    }


def memory(
    user: str, number: int, text: str, tier: Tier = "history", place: Place | None = None, worth: Quality | None = None
) -> MemoryItem:
    """A memory as it is stored; ``number`` tells it from the others of ``user``."""
    return MemoryItem(
        _id=f"mem_{uuid5(NAMESPACE_OID, f'{user}/{number}').hex}",
        user_id=user,
        tier=tier,
        kind="fact",
        text=text,
        scope=MEMORY,
        source=ItemSource(type="user"),
        timestamps=Timestamps(created_at=float(number), updated_at=float(number)),
        place=place or Place(),
        quality=worth,
    )


async def _no_plan(user_id: str, question: str, tiers: Sequence[Tier]) -> dict[Tier, int]:
    return {}


async def _no_fallback(request: SearchRequest, terms: list[str], depth: int) -> list[tuple[str, float]]:
    raise RuntimeError("the index of a benchmark always answers")


def _dependencies() -> Dependencies:
    names = ("dense", "lexical", "embeddings", "reranker", "truth")
    return Dependencies(**{name: Dependency(name, PATIENCE, CircuitBreaker()) for name in names})
