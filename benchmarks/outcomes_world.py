"""A memory in a temporary data directory that learns as it does from users: by answers and their feedback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks import conversations
from benchmarks.conversations import Conversation
from benchmarks.profiles import UNTAUGHT, without_company
from benchmarks.temporary_workbench import PATIENCE, open_workbench, upload
from core.clock import system_clock
from core.ids import new_id
from core.memory.items.records import NewMemory, OutcomeExample
from core.memory.items.speakers import Speakers
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.ranking.boosts import Known
from core.memory.ranking.conditional import CONDITIONAL
from core.memory.ranking.profiles import documents_profile_of, profile_of
from core.memory.recall.records import MemoryQuery
from core.memory.recall.search import MemorySearch
from core.memory.recall.turn import Turn
from core.models.embeddings import Calibration
from core.records.memory_meta import Tier
from core.resilience.dependencies import Deadline
from core.search.pipeline import Profile, RankingQuestion, Weigh
from core.search.request import ScoredHit, SearchRequest
from core.setting_groups import Memory
from core.store.items import LIBRARY, MemoryItem, Outcome
from core.workbench import Workbench

SHOWN = 20

Orders = Mapping[str, Sequence[MemoryItem]]
"""Maps a variant to the candidates of one question, best first."""


class Panel:
    """Ranks the same candidates by every variant; the results of the variant called ``leads`` are passed on by the
    pipeline."""

    def __init__(self, variants: Mapping[str, Profile], leads: str) -> None:
        self._variants = variants
        self._leads = leads
        self.orders: dict[str, list[MemoryItem]] = {}

    async def profile(self, asked: RankingQuestion, items: Sequence[MemoryItem]) -> Weigh:
        weighs = {name: await variant(asked, items) for name, variant in self._variants.items()}

        def weigh(candidates: Sequence[ScoredHit]) -> None:
            self.orders = {name: _ranked(each, candidates) for name, each in weighs.items()}
            weighs[self._leads](candidates)

        return weigh


def _ranked(weigh: Weigh, candidates: Sequence[ScoredHit]) -> list[MemoryItem]:
    copies = [replace(each) for each in candidates]
    weigh(copies)
    copies.sort(key=lambda each: (-each.precedence, -each.weighed * each.authority, each.item.id))
    return [each.item for each in copies]


class _ReadOnce:
    """Caches what was learned about the latest candidates, because every variant requests it."""

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
    """The memory. ``note``, ``remember`` and ``know`` fill it, ``ask`` ranks, ``answer`` gives feedback."""

    workbench: Workbench
    search: MemorySearch
    panel: Panel
    lessons: _ReadOnce
    passages: Panel
    asked: int = 0
    taught: int = 0
    _tiers: dict[str, Tier] = field(default_factory=dict)

    async def note(self, user: str, texts: Sequence[str]) -> dict[str, str]:
        """Stores each text as a note of the tier history; returns the ids by text."""
        memory = self.workbench.memory
        found = {text: (await memory.store(user, NewMemory(tier="history", text=text))).id for text in texts}
        await memory.settle()
        return found

    async def file(self, user: str, texts: Sequence[str]) -> dict[str, str]:
        """Uploads each text as a separate document; returns the ids of the passages by text."""
        library, found = self.workbench.library, {}
        folder = self.workbench.settings.folder
        for number, text in enumerate(texts):
            path = folder / f"note-{number}.txt"
            path.write_text(f"{text}\n", encoding="utf-8")
            (passage,) = await library.chunks(user, await upload(self.workbench, user, path))
            found[text] = passage.id
        return found

    async def remember(self, user: str, talk: Conversation) -> dict[str, str]:
        """Remembers a conversation; returns the ids of its statements by place."""
        ids = await conversations.remember(self.workbench.memory, user, talk)
        await self.workbench.memory.settle()
        return ids

    async def know(self, user: str, text: str, importance: float, confidence: float) -> str:
        """Adds a fact to the memory bank; returns its id, or the id of the fact it was merged with."""
        bank = self.workbench.memory.bank
        return (await bank.remember(user, text, importance=importance, confidence=confidence)).item.id

    async def ask(self, user: str, question: str) -> tuple[list[str], Orders]:
        """Returns the ids that a user is shown, and the order of all candidates by variant."""
        self.asked += 1
        self.lessons.forget()
        result = await self.search.search(MemoryQuery(user, question, limit=SHOWN, sort_by="relevance"))
        if result.record.skipped:
            raise RuntimeError(f"a stage was left out: {result.record.skipped}")
        self._tiers.update((hit.memory_id, hit.tier) for hit in result.hits)
        return [hit.memory_id for hit in result.hits], self.panel.orders

    async def find(self, user: str, question: str) -> tuple[list[str], Orders]:
        """Like ``ask``, for passages, which are searched as documents are."""
        self.asked += 1
        self.lessons.forget()
        request = SearchRequest(user, question, SHOWN, ("books",), (LIBRARY,))
        pipeline = self.workbench.retrieval.pipeline
        result = await pipeline.search(request, Deadline(PATIENCE), profile=self.passages.profile)
        self._tiers.update((hit.item.id, hit.item.tier) for hit in result.hits)
        return [hit.item.id for hit in result.hits], self.passages.orders

    async def answer(self, user: str, question: str, shown: Sequence[str], used: Sequence[str], said: Outcome) -> None:
        """Records an answer and its feedback. ``shown`` are the memories shown before the answer, ``used`` those it is
        based on."""
        self.taught += 1
        turn = Turn(user, new_id("msg"), question)
        turn.shown([(each, self._tiers[each]) for each in shown])
        memory = self.workbench.memory
        await memory.remember_answer(memory.record_of(turn, used))
        await memory.record_feedback(user, turn.answer_id, said)


@asynccontextmanager
async def open_world(cache: Path | None, *, archiving: bool = False) -> AsyncIterator[World]:
    """Yields an empty memory that is deleted afterwards; ``cache`` keeps embeddings between runs.

    Without ``archiving``, repeatedly failed memories stay among the candidates, so that orders can be compared.
    """
    constants = Memory() if archiving else Memory(archive_below=0.0)
    async with open_workbench(cache, memory=constants) as workbench:
        retrieval, settings = workbench.retrieval, workbench.settings
        lessons = OutcomeExamples(workbench.truth)
        once = _ReadOnce(lessons)
        panel = Panel(_variants(once, retrieval.calibration, lessons.solved), settings.memory.profile)
        search = MemorySearch(
            lambda: retrieval.pipeline,
            panel.profile,
            _no_plan,
            system_clock,
            settings.memory,
            PATIENCE,
            Speakers(retrieval.items, system_clock).of,
        )
        learning = documents_profile_of(Memory(), once, retrieval.calibration)
        of_documents = {"relevance": UNTAUGHT["relevance"], "conditional": learning}
        yield World(workbench, search, panel, once, Panel(of_documents, settings.memory.profile))


def _variants(lessons: _ReadOnce, calibration: Calibration | None, solved: Known) -> dict[str, Profile]:
    conditional = Memory()

    def tuned(**changes: bool) -> Profile:
        return profile_of(conditional, lessons, calibration, tuning=replace(CONDITIONAL, **changes))

    return UNTAUGHT | {
        "seed": profile_of(Memory(profile="seed"), lessons, calibration),
        "conditional": profile_of(conditional, lessons, calibration),
        "known solutions": profile_of(conditional, lessons, calibration, solved),
        "ungated": tuned(gated=False),
        "unshrunk": tuned(shrunk=False),
        "quality off": tuned(quality=False),
        "company off": without_company(tuned()),
    }


async def _no_plan(user_id: str, question: str, tiers: Sequence[Tier]) -> dict[Tier, int]:
    return {}
