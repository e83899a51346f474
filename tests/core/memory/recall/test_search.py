from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from pydantic import TypeAdapter

from core.memory.recall.records import MemoryHit, MemoryQuery
from core.memory.recall.search import FILTERED_DEPTH, MemorySearch, age_of
from core.records.memory_meta import Tier
from core.resilience.dependencies import Deadline
from core.search.pipeline import RELEVANCE, Profile
from core.search.request import OutcomeScore, ScoredHit, SearchRecord, SearchRequest, SearchResult, Steps, silent
from core.setting_groups import Memory
from core.store.items import MEMORY, TIERS, Book, ItemSource, MemoryItem, Quality, Stats, Timestamps

NOW = 1_000_000.0


def item(number: int, text: str = "", tier: Tier = "history", created: float = 0.0, **fields: object) -> MemoryItem:
    values: dict[str, object] = {
        "_id": f"mem_{number:032x}",
        "user_id": "ada",
        "tier": tier,
        "kind": "fact",
        "text": text or f"text {number}",
        "scope": MEMORY,
        "source": ItemSource(type="user", conversation_id="conv_1", message_id="msg_1"),
        "timestamps": Timestamps(created_at=created, updated_at=NOW),
    }
    return MemoryItem.model_validate({**values, **fields})


@dataclass
class Pipeline:
    """Returns ``hits`` for any query; records the query."""

    hits: list[ScoredHit] = field(default_factory=list)
    error: Exception | None = None
    asked: list[SearchRequest] = field(default_factory=list)

    async def search(
        self, request: SearchRequest, deadline: Deadline, steps: Steps = silent, profile: Profile = RELEVANCE
    ) -> SearchResult:
        self.asked.append(request)
        if self.error:
            raise self.error
        return SearchResult(self.hits[: request.limit], SearchRecord("en", confidence="high"))


def hit(memory: MemoryItem, final: float, **fields: object) -> ScoredHit:
    return ScoredHit(memory, weighed=final, final=final, **fields)  # type: ignore[arg-type]


def search_over(pipeline: Pipeline, plan: dict[Tier, int] | Exception | None = None) -> MemorySearch:
    async def planned(user_id: str, question: str, tiers: Sequence[Tier]) -> dict[Tier, int]:
        if isinstance(plan, Exception):
            raise plan
        return plan or {}

    return MemorySearch(lambda: pipeline, RELEVANCE, planned, lambda: NOW, Memory(), 15.0)  # type: ignore[arg-type, return-value]


async def texts(pipeline: Pipeline, text: str = "pump", **more: object) -> list[str]:
    result = await search_over(pipeline).search(MemoryQuery("ada", text, **more))  # type: ignore[arg-type]
    assert [each.position for each in result.hits] == list(range(1, len(result.hits) + 1))
    return [each.text for each in result.hits]


# -- queries -------------------------------------------------------------------------------------


async def test_all_tiers_of_memory_and_library_are_searched_three_times_as_deep_at_least() -> None:
    pipeline = Pipeline()
    result = await search_over(pipeline, {"patterns": 96, "working": 7}).search(MemoryQuery("ada", "pump", limit=10))
    [request] = pipeline.asked
    assert list(request.tiers) == list(TIERS)
    assert [*request.scopes] == [MEMORY, "library"]
    assert request.depths == {**dict.fromkeys(TIERS, 30), "patterns": 96}
    assert result.plan == request.depths


@pytest.mark.parametrize(
    ("tiers", "expected"),
    [
        (["patterns"], ["working", "patterns"]),
        (["memory_bank"], ["memory_bank"]),
        (["books"], ["books"]),
        ([], list(TIERS)),
    ],
)
async def test_working_memory_belongs_to_what_is_scored(tiers: list[Tier], expected: list[Tier]) -> None:
    pipeline = Pipeline()
    await search_over(pipeline).search(MemoryQuery("ada", "pump", tiers=tiers))
    assert list(pipeline.asked[0].tiers) == expected


async def test_without_routing_all_tiers_are_searched_alike() -> None:
    pipeline = Pipeline([hit(item(1), 0.5)])
    result = await search_over(pipeline, RuntimeError("no graph")).search(MemoryQuery("ada", "pump"))
    assert len(result.hits) == 1
    assert set(result.plan.values()) == {30}


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [("pump", None, 10), ("How do I reset it?", None, 12), ("pump", 3, 3), ("pump", 500, 20), ("my name", 0, 5)],
)
async def test_how_many(text: str, limit: int | None, expected: int) -> None:
    pipeline = Pipeline([hit(item(number), 1.0) for number in range(40)])
    result = await search_over(pipeline).search(MemoryQuery("ada", text, limit=limit))
    assert len(result.hits) == result.limit == expected


async def test_a_filter_looks_deeper_and_refuses_the_rest() -> None:
    other = ItemSource(type="user", conversation_id="conv_2")
    hits = [
        hit(item(1, "old", created=10.0), 0.9),
        hit(item(2, "tagged", created=50.0, tags=["goal"]), 0.8),
        hit(item(3, "goal", created=60.0, kind="goal"), 0.7),
        hit(item(4, "elsewhere", created=60.0, source=other), 0.6),
    ]
    pipeline = Pipeline(hits)
    assert await texts(pipeline, tags=["goal"]) == ["tagged"]
    assert await texts(pipeline, kinds=["goal"]) == ["goal"]
    assert await texts(pipeline, since=20.0, until=55.0) == ["tagged"]
    assert await texts(pipeline, conversation_ids=["conv_2"]) == ["elsewhere"]
    assert {request.limit for request in pipeline.asked} == {FILTERED_DEPTH}
    assert set(pipeline.asked[0].depths.values()) == {FILTERED_DEPTH}


# -- order ---------------------------------------------------------------------------------------

DATED = [
    hit(item(1, "old", created=1.0, stats=Stats(score=0.9)), 1.0),
    hit(item(2, "new", created=3.0, stats=Stats(score=0.4)), 0.8),
    hit(item(3, "newest and hardly relevant", created=9.0, stats=Stats(score=1.0)), 0.3),
]


@pytest.mark.parametrize(
    ("text", "sort_by", "expected"),
    [
        ("pump", None, ["old", "new"]),
        ("What did we decide last time?", None, ["new", "old"]),
        ("What did we decide last time?", "relevance", ["old", "new"]),
        ("מה סיכמנו אתמול?", None, ["new", "old"]),
        ("pump", "recency", ["new", "old"]),
        ("What did we decide last time?", "score", ["old", "new"]),
    ],
)
async def test_only_what_is_relevant_is_sorted_by_time_or_score(
    text: str, sort_by: str | None, expected: list[str]
) -> None:
    assert await texts(Pipeline(DATED), text, sort_by=sort_by) == [*expected, "newest and hardly relevant"]


async def test_facts_are_sorted_by_their_quality() -> None:
    fact = item(4, "fact", "memory_bank", quality=Quality(quality_score=0.81))
    assert (await texts(Pipeline([*DATED, hit(fact, 0.9)]), sort_by="score"))[:2] == ["old", "fact"]


# -- equal texts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "merged"),
    [
        ("The pump leaks.", "the  pump leaks", True),
        ("Pumps leak", "The pump leaks", False),
        ("Reset valves first", "Reset valve first", True),
        ("Ada likes tea", "Ada likes coffee", False),
        (
            "The limit of the hotel in the north is 120 a night",
            "The limit of the hotel in the north is 130 a night",
            False,
        ),
        (
            "The supplier is allowed to send the invoice late",
            "The supplier is not allowed to send the invoice late",
            False,
        ),
        ("The meeting with Dana is on Monday morning", "The meeting with Dina is on Monday morning", False),
        ("המשאבה דולפת.", "המשאבה דולפת", True),
        ("הספק רשאי לאחר", "הספק אינו רשאי לאחר", False),
        ("!!!", "???", False),
    ],
)
async def test_only_texts_that_say_the_same_are_shown_once(one: str, other: str, merged: bool) -> None:
    result = await search_over(Pipeline([hit(item(1, one), 0.9), hit(item(2, other), 0.8)])).search(
        MemoryQuery("ada", "pump")
    )
    assert len(result.hits) == (1 if merged else 2)
    assert result.hits[0].text == one
    assert result.hits[0].equal == ([item(2).id] if merged else [])


async def test_equal_texts_do_not_use_up_the_limit() -> None:
    hits = [hit(item(number, "same"), 1.0) for number in range(4)] + [hit(item(9, "other"), 0.5)]
    assert await texts(Pipeline(hits), limit=2) == ["same", "other"]


# -- results -------------------------------------------------------------------------------------


async def test_a_hit_says_everything_about_itself() -> None:
    book = Book(book_id="doc_1", title="Manual", filename="manual.pdf", chunk_index=2, section="Pumps", page=7)
    passage = item(
        1,
        "x" * 500,
        "books",
        NOW - 7_200,
        document_id="doc_1",
        source=ItemSource(type="document", book=book),
        stats=Stats(uses=4, wilson_score=0.3, score=0.6, last_outcome="worked"),
    )
    found = hit(passage, 0.9, dense_rank=1, cosine=0.88, dense=0.86, lexical_rank=2, bm25=7.0, lexical=0.5, fused=0.6)
    found.learned = OutcomeScore(0.7, 0.4, 1.0, 0.2, {"outcomes": 0.9})
    result = await search_over(Pipeline([found])).search(MemoryQuery("ada", "pump"))
    [shown] = result.hits
    assert (shown.memory_id, shown.tier, shown.position) == (passage.id, "books", 1)
    assert shown.text == passage.text
    assert len(shown.preview) == 160
    assert (shown.citation.document_id, shown.citation.title, shown.citation.page) == ("doc_1", "Manual", 7)
    assert (shown.age, shown.age_seconds, shown.uses, shown.last_outcome) == ("2 h", 7_200.0, 4, "worked")
    assert shown.strength == found.strength
    assert shown.parts.boosts == {"outcomes": 0.9}
    assert (shown.parts.similarity, shown.parts.learned, shown.parts.final) == (0.7, 0.4, 0.9)
    assert result.record.confidence == "high"


async def test_what_a_model_is_given_has_the_text_once() -> None:
    result = await search_over(Pipeline([hit(item(1, "unmistakable"), 0.9)])).search(MemoryQuery("ada", "pump"))
    assert TypeAdapter(list[MemoryHit]).dump_json(result.hits).count(b"unmistakable") == 2  # text and preview


async def test_nothing_is_ever_raised() -> None:
    result = await search_over(Pipeline(error=ValueError("broken"))).search(MemoryQuery("ada", "pump"))
    assert result.hits == []
    assert len(result.record.skipped) == 1


@pytest.mark.parametrize(
    ("seconds", "expected"), [(3, "now"), (61, "1 min"), (3_600, "1 h"), (86_400 * 12 + 5, "12 d")]
)
def test_ages(seconds: float, expected: str) -> None:
    assert age_of(seconds) == expected
