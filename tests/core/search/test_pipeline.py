from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from core.resilience.dependencies import Deadline
from core.search.pipeline import SearchPipeline, constant_profile
from core.search.request import SearchResult
from core.setting_groups import Search
from core.store.items import MemoryItem
from core.words import Words
from tests.core.search.rig import Rig, ask, make_item

TEXTS = [
    "The meter stores readings for ninety days.",
    "Travel abroad is refunded within thirty days.",
    "Bees make honey in summer.",
]


@pytest.fixture
def shelf(rig: Rig) -> Rig:
    rig.items = [make_item(number, text) for number, text in enumerate(TEXTS)]
    rig.cosines = {item.id: 0.8 - 0.2 * number for number, item in enumerate(rig.items)}
    return rig


async def search(rig: Rig, text: str, **fields: object) -> SearchResult:
    return await rig.pipeline().search(ask(text, **fields), Deadline(10.0))


def said(result: SearchResult) -> str:
    return " ".join(words.en for words in result.record.skipped)


async def test_every_part_of_a_score_is_told(shelf: Rig) -> None:
    result = await search(shelf, "How long does the meter store readings?")
    best = result.hits[0]
    assert best.item.text == TEXTS[0]
    assert (best.dense_rank, best.cosine, best.lexical_rank) == (1, 0.8, 1)
    assert best.bm25 is not None
    assert best.bm25 > 0
    assert 0 < best.lexical <= 1
    assert best.final == best.weighed == pytest.approx(best.fused + best.company)
    assert best.cross_encoder is None
    assert [stage.name for stage in result.record.stages] == ["lexical", "dense", "rank"] or [
        stage.name for stage in result.record.stages
    ] == ["dense", "lexical", "rank"]
    assert result.record.confidence == "high"
    assert result.record.skipped == []


async def test_meaning_finds_what_shares_no_word(shelf: Rig) -> None:
    shelf.cosines = {shelf.items[2].id: 0.9, shelf.items[0].id: 0.2}
    result = await search(shelf, "insects producing sweet food")
    assert result.hits[0].item.text == TEXTS[2]
    assert result.hits[0].bm25 is None


@pytest.mark.parametrize("part", ["embeddings"])
async def test_without_meaning_words_find_it_and_it_is_said(shelf: Rig, part: str) -> None:
    shelf.broken = {part}
    result = await search(shelf, "meter readings")
    assert result.hits[0].item.text == TEXTS[0]
    assert "Only keyword search" in said(result)


async def test_without_the_index_the_text_itself_is_searched(shelf: Rig) -> None:
    shelf.broken = {"index"}
    result = await search(shelf, "meter readings")
    assert result.hits[0].item.text == TEXTS[0]
    assert "the stored text" in said(result)


async def test_without_words_meaning_finds_it(shelf: Rig) -> None:
    class WordsBroken(Rig):
        async def query_lexical(self, *arguments: object, **named: object) -> list[object]:  # type: ignore[override]
            raise ConnectionError("lexical")

    rig = WordsBroken(items=shelf.items, cosines=shelf.cosines, broken={"fallback"})
    result = await search(rig, "meter readings")
    assert result.hits[0].item.text == TEXTS[0]
    assert "Only semantic search" in said(result)


async def test_when_nothing_answers_there_is_nothing_and_it_is_said(shelf: Rig) -> None:
    shelf.broken = {"index", "fallback", "embeddings"}
    result = await search(shelf, "meter readings")
    assert result.hits == []
    assert result.record.confidence == "none"
    assert "Search is not available" in said(result)


async def test_when_nothing_answers_an_earlier_find_is_shown_and_it_is_said(shelf: Rig) -> None:
    pipeline = shelf.pipeline()
    await pipeline.search(ask("meter readings"), Deadline(10.0))
    shelf.broken = {"index", "fallback", "embeddings"}
    shelf.items[1] = shelf.items[1].model_copy(update={"status": "deleted"})
    again = await pipeline.search(ask("Meter  readings"), Deadline(10.0))
    assert again.hits[0].item.text == TEXTS[0]
    assert TEXTS[1] not in [hit.item.text for hit in again.hits]
    assert "passages from an earlier search" in said(again)
    assert (await pipeline.search(ask("Meter readings", user_id="bob"), Deadline(10.0))).hits == []


async def test_a_truth_that_is_down_ends_in_nothing_instead_of_an_error(shelf: Rig) -> None:
    shelf.broken = {"truth"}
    result = await search(shelf, "meter readings")
    assert result.hits == []
    assert result.record.skipped


GHOSTS: list[dict[str, object]] = [
    {"status": "deleted"},
    {"status": "pending"},
    {"status": "archived"},
    {"user_id": "bob"},
    {"scope": "conv_of_someone_else"},
    {"tier": "history"},
]


@pytest.mark.parametrize(
    "fields", GHOSTS, ids=lambda fields: next(iter(fields)) + "=" + str(next(iter(fields.values())))
)
async def test_what_the_index_still_holds_is_not_found_when_the_truth_says_no(
    shelf: Rig, fields: dict[str, object]
) -> None:
    shelf.items[0] = make_item(0, TEXTS[0], **fields)
    result = await search(shelf, "How long does the meter store readings?")
    assert TEXTS[0] not in [hit.item.text for hit in result.hits]


async def test_points_without_an_item_are_left_out(shelf: Rig) -> None:
    shelf.cosines[f"mem_{99:032x}"] = 1.0
    result = await search(shelf, "meter readings")
    assert {hit.item.id for hit in result.hits} <= {item.id for item in shelf.items}


async def test_other_documents_are_left_out_when_some_are_named(shelf: Rig) -> None:
    shelf.items.append(make_item(7, "The meter stores readings for a year.", document="other"))
    result = await search(shelf, "How long does the meter store readings?", document_ids=["other"])
    assert [hit.item.document_id for hit in result.hits] == ["other"]
    assert shelf.seen[0].any_of["document_id"] == ["other"]


async def test_the_engine_is_asked_for_the_user_alone(shelf: Rig) -> None:
    await search(shelf, "meter")
    assert {where.user_id for where in shelf.seen} == {"ada"}
    assert all(where.any_of["tier"] == ["books"] for where in shelf.seen)


async def test_a_passage_without_a_vector_is_found_by_its_words(shelf: Rig) -> None:
    newcomer = make_item(5, "The valve is closed by turning it twice to the left.", document="new", embedded=False)
    shelf.items.append(newcomer)
    result = await search(shelf, "How is the valve closed?")
    assert result.hits[0].item.id == newcomer.id
    assert result.hits[0].dense is None
    assert result.hits[0].strength > 0.5


async def test_a_model_that_does_not_know_the_language_is_not_asked(shelf: Rig) -> None:
    shelf.languages = frozenset({"en"})
    shelf.items.append(make_item(6, "המונה שומר קריאות במשך תשעים יום."))
    result = await search(shelf, "כמה זמן המונה שומר קריאות?")
    assert result.hits[0].item.text.startswith("המונה")
    assert "does not support this language" in said(result)


async def test_meaning_switched_off_is_said_in_its_own_words(shelf: Rig) -> None:
    shelf.dense_off = Words(en="It is being rebuilt.", he="נבנה מחדש.")
    result = await search(shelf, "meter readings")
    assert said(result) == "It is being rebuilt."


async def test_a_lane_at_random_does_not_drag_words_down(rig: Rig) -> None:
    filler = [f"Paragraph {number} tells of weather, roads and markets." for number in range(40)]
    rig.items = [make_item(n, text) for n, text in enumerate([TEXTS[0], *filler])]
    rig.cosines = {item.id: 0.9 - 0.001 * n for n, item in enumerate(rig.items[1:])}
    result = await search(rig, "How long does the meter store readings?")
    assert result.hits[0].item.text == TEXTS[0]
    assert result.record.trust < 0.5
    rig.cosines[rig.items[0].id] = 0.95
    assert (await search(rig, "How long does the meter store readings?")).record.trust == 1.0


async def test_slow_stages_are_cut_and_said(shelf: Rig) -> None:
    never = asyncio.Event()

    class Slow(Rig):
        async def embed_query(self, text: str) -> object:  # type: ignore[override]
            await never.wait()

    rig = Slow(items=shelf.items, cosines=shelf.cosines)
    pipeline = rig.pipeline()
    pipeline._dependencies.embeddings.seconds = 0.01
    result = await pipeline.search(ask("meter readings"), Deadline(10.0))
    assert result.hits[0].item.text == TEXTS[0]
    assert "did not answer in" in said(result)


async def test_when_the_time_is_over_what_hangs_is_left_behind(shelf: Rig) -> None:
    never = asyncio.Event()

    class Hanging(Rig):
        async def load(self, user_id: str, ids: Sequence[str]) -> list[MemoryItem]:
            await never.wait()
            return []

    result = await Hanging(items=shelf.items).pipeline().search(ask("meter readings"), Deadline(0.02))
    assert result.hits == []
    assert "did not answer in" in said(result)


async def test_the_same_search_gives_the_same_order(shelf: Rig) -> None:
    shelf.items = [make_item(number, "The same words.", document=f"d{number}") for number in range(9)]
    shelf.cosines = {item.id: 0.5 for item in shelf.items}
    first, second = await search(shelf, "same words"), await search(shelf, "same words")
    assert [hit.item.id for hit in first.hits] == [hit.item.id for hit in second.hits]


class Judge:
    """A cross-encoder that scores later passages higher."""

    model = "judge"

    def __init__(self) -> None:
        self.asked: list[int] = []

    async def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        self.asked.append(len(passages))
        return [place / len(passages) for place in range(len(passages))]


def crowd(rig: Rig, count: int) -> Judge:
    rig.items = [make_item(n, f"meter number {n}", document=f"d{n}") for n in range(count)]
    rig.cosines = {item.id: 0.9 - 0.01 * n for n, item in enumerate(rig.items)}
    rig.reranker = judge = Judge()
    return judge


async def test_the_cross_encoder_reads_thirty_and_is_blended(rig: Rig) -> None:
    judge = crowd(rig, 40)
    result = await search(rig, "meter", limit=10)
    assert judge.asked == [30]
    read = [hit for hit in result.hits if hit.cross_encoder is not None]
    assert read
    for hit in read:
        assert hit.final == pytest.approx(0.4 * hit.weighed + 0.6 * (hit.cross_encoder or 0.0))
    assert [hit.final for hit in result.hits] == sorted((hit.final for hit in result.hits), reverse=True)


@pytest.mark.parametrize(("count", "limit", "read"), [(20, 10, []), (21, 10, [21])])
async def test_the_cross_encoder_is_left_out_of_short_lists(rig: Rig, count: int, limit: int, read: list[int]) -> None:
    judge = crowd(rig, count)
    await search(rig, "meter", limit=limit)
    assert judge.asked == read


async def test_a_cross_encoder_that_fails_leaves_the_order(rig: Rig) -> None:
    crowd(rig, 40)
    plain = [hit.item.id for hit in (await search(Rig(items=rig.items, cosines=rig.cosines), "meter")).hits]

    class Broken(Judge):
        async def scores(self, query: str, passages: Sequence[str]) -> list[float]:
            raise ConnectionError

    rig.reranker = Broken()
    result = await search(rig, "meter")
    assert [hit.item.id for hit in result.hits] == plain
    assert result.record.skipped


async def test_reciprocal_rank_is_one_setting_away(shelf: Rig) -> None:
    shelf.settings = Search(fusion="rrf")
    best = (await search(shelf, "How long does the meter store readings?")).hits[0]
    assert best.final == pytest.approx(1.0)


async def test_a_profile_has_the_word_before_the_cross_encoder(shelf: Rig) -> None:
    def backwards(candidates: Sequence[object]) -> None:
        for each in candidates:
            each.weighed = -each.fused  # type: ignore[attr-defined]

    pipeline: SearchPipeline = shelf.pipeline()
    result = await pipeline.search(ask("meter readings"), Deadline(10.0), profile=constant_profile(backwards))  # type: ignore[arg-type]
    assert result.hits[-1].item.text == TEXTS[0]


async def test_texts_of_a_conversation_are_found_when_its_scope_is_asked_for(shelf: Rig) -> None:
    attached: MemoryItem = make_item(9, "The meter was replaced in May.", scope="conv_1", document="attached")
    shelf.items.append(attached)
    here = await search(shelf, "When was the meter replaced?", scopes=("library", "conv_1"))
    elsewhere = await search(shelf, "When was the meter replaced?")
    assert here.hits[0].item.id == attached.id
    assert attached.id not in [hit.item.id for hit in elsewhere.hits]
