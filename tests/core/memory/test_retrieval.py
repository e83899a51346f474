"""Tests search on the real index and record store: outdated data in the index never decides the results."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.ids import point_id
from core.library.catalogue import Catalogue
from core.library.records import Document, Metadata
from core.library.searchable import CatalogueDocuments
from core.memory.items.reading import ITEMS
from core.memory.retrieval import Retrieval
from core.models.embedding_cache import CachedEmbeddings
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery, DocumentSearchResult
from core.settings import Settings
from core.store.index import Vector
from core.store.index_rules import unreachable
from core.store.items import LIBRARY, Book, ItemSource, MemoryItem, Place, Timestamps
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change

ADA, BOB = "ada", "bob"
NOW = 1_000.0
POLICY = "A night in a hotel in Haifa is reimbursed up to 560 shekels."
QUESTION = "What is reimbursed for a hotel night in Haifa?"

Open = Callable[[], Awaitable[Retrieval]]


class LetterEmbeddings:
    """Texts with the same letters get the same vector."""

    identity = EmbeddingIdentity("letters", 26, Calibration(0.8, 1.0))

    async def embed_query(self, text: str) -> Vector:
        counts = np.array([text.lower().count(chr(97 + place)) + 0.01 for place in range(26)], dtype=np.float32)
        return (counts / np.linalg.norm(counts)).astype(np.float32)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        return np.stack([await self.embed_query(text) for text in texts])


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[SqliteTruth]:
    opened = SqliteTruth(tmp_path / "truth.sqlite", seconds=10.0)
    await opened.start()
    yield opened
    await opened.stop()


@pytest.fixture
async def open_retrieval(tmp_path: Path, truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Open]:
    """Another start on the same data; stop the previous one first."""
    monkeypatch.setattr("core.memory.retrieval.build_embeddings", lambda *_: LetterEmbeddings())
    settings = Settings(_env_file=None, home=tmp_path)  # type: ignore[call-arg]
    opened: list[Retrieval] = []

    async def start() -> Retrieval:
        retrieval = Retrieval(settings, truth, CatalogueDocuments(Catalogue(truth, lambda: NOW)), lambda: NOW)
        await retrieval.start()
        opened.append(retrieval)
        return retrieval

    yield start
    for retrieval in opened:
        await retrieval.stop()


@pytest.fixture
async def retrieval(open_retrieval: Open) -> Retrieval:
    return await open_retrieval()


def passage(number: int, text: str, user_id: str = ADA, document_id: str = "doc_a", **given: object) -> MemoryItem:
    book = Book(book_id=document_id, title="Notes", filename=f"{document_id}.md", chunk_index=number)
    values: dict[str, object] = {
        "_id": f"mem_{number:032x}",
        "user_id": user_id,
        "tier": "books",
        "text": text,
        "document_id": document_id,
        "source": ItemSource(type="document", book=book),
        "timestamps": Timestamps(created_at=NOW, updated_at=NOW),
        "place": Place(episode=document_id, order=number),
    }
    return MemoryItem.model_validate({**values, **given})


async def find(retrieval: Retrieval, text: str = QUESTION, user_id: str = ADA, **given: object) -> DocumentSearchResult:
    query = DocumentQuery(user_id, text, "deep", **given)  # type: ignore[arg-type]
    return await retrieval.documents.find(query, Deadline(10))


def shown(found: DocumentSearchResult) -> list[str]:
    return [each.item_id for source in found.sources for each in source.passages]


def said(found: DocumentSearchResult) -> str:
    return " ".join(notice.en for notice in found.notices)


def break_index(retrieval: Retrieval, monkeypatch: pytest.MonkeyPatch, *methods: str) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise unreachable("down")

    for method in methods:
        monkeypatch.setattr(retrieval.index, method, fail)


async def test_both_lanes_find_a_passage(retrieval: Retrieval) -> None:
    item = passage(1, POLICY)
    await retrieval.items.add(ADA, [item, passage(2, "Reservoirs hold water.", document_id="doc_b")])
    await retrieval.items.embed_pending(ADA, "doc_a", 10)
    found = await find(retrieval)
    best = found.sources[0].passages[0]
    assert best.item_id == item.id
    assert best.dense_rank == best.lexical_rank == 1
    assert not found.notices


GHOSTS: dict[str, dict[str, object]] = {
    "deleted": {"status": "deleted"},
    "archived": {"status": "archived"},
    "pending": {"status": "pending"},
    "in another scope": {"scope": "conv_of_someone"},
}


@pytest.mark.parametrize("lanes_down", [(), ("query_lexical",)], ids=["index", "truth"])
@pytest.mark.parametrize("fields", GHOSTS.values(), ids=GHOSTS)
async def test_what_the_truth_hides_is_never_shown_whatever_the_index_says(
    fields: dict[str, object],
    lanes_down: tuple[str, ...],
    retrieval: Retrieval,
    truth: SqliteTruth,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ghost, visible = passage(1, POLICY), passage(2, POLICY, document_id="doc_b")
    await retrieval.items.add(ADA, [ghost, visible])
    await retrieval.items.embed_pending(ADA, "doc_a", 10)
    await truth.collection(ITEMS).update(ghost.id, Change(set=fields))
    break_index(retrieval, monkeypatch, *lanes_down)
    assert shown(await find(retrieval)) == [visible.id]


@pytest.mark.parametrize("lanes_down", [(), ("query_lexical",)], ids=["index", "truth"])
async def test_nobody_sees_another_users_passages(
    lanes_down: tuple[str, ...], retrieval: Retrieval, monkeypatch: pytest.MonkeyPatch
) -> None:
    await retrieval.items.add(ADA, [passage(1, POLICY)])
    await retrieval.items.embed_pending(ADA, "doc_a", 10)
    break_index(retrieval, monkeypatch, *lanes_down)
    assert shown(await find(retrieval, user_id=BOB)) == []
    assert shown(await find(retrieval, user_id=BOB, document_ids=["doc_a"])) == []


@pytest.mark.parametrize("lanes_down", [(), ("query_lexical", "query_dense")], ids=["index", "truth"])
async def test_a_question_about_one_document_stays_in_it_however_many_others_say_more(
    lanes_down: tuple[str, ...], retrieval: Retrieval, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [passage(number, POLICY, document_id="doc_b") for number in range(10, 310)]
    asked = passage(1, "Hotels are named once, " + "among words about reservoirs and their water, " * 5)
    await retrieval.items.add(ADA, [*others, asked])
    break_index(retrieval, monkeypatch, *lanes_down)
    assert shown(await find(retrieval, "hotels", document_ids=["doc_a"])) == [asked.id]


@pytest.mark.parametrize("lanes_down", [(), ("query_lexical",)], ids=["index", "truth"])
async def test_a_conversations_document_is_found_in_that_conversation_alone(
    lanes_down: tuple[str, ...], retrieval: Retrieval, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = passage(1, POLICY, scope="conv_1")
    await retrieval.items.add(ADA, [item])
    break_index(retrieval, monkeypatch, *lanes_down)
    assert shown(await find(retrieval, conversation_id="conv_1")) == [item.id]
    assert shown(await find(retrieval, conversation_id="conv_2")) == shown(await find(retrieval)) == []


async def test_equal_passages_come_in_the_same_order_every_time(retrieval: Retrieval) -> None:
    items = [passage(number, POLICY, document_id=f"doc_{number}") for number in range(5, 0, -1)]
    await retrieval.items.add(ADA, items)
    first = shown(await find(retrieval))
    assert first == sorted(first)
    assert len(first) == 5
    assert all([shown(await find(retrieval)) == first for _ in range(3)])


async def test_without_the_index_the_text_itself_is_searched_and_that_is_said(
    retrieval: Retrieval, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = passage(1, POLICY)
    await retrieval.items.add(ADA, [item, passage(2, "Reservoirs hold water.", document_id="doc_b")])
    break_index(retrieval, monkeypatch, "query_lexical", "query_dense")
    found = await find(retrieval)
    assert shown(found) == [item.id]
    assert "stored text was searched" in said(found)
    assert "Only keyword search" in said(found)


async def test_the_text_itself_is_searched_as_it_is_now(
    retrieval: Retrieval, truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_index(retrieval, monkeypatch, "query_lexical", "query_dense")
    assert shown(await find(retrieval)) == []
    first, second = passage(1, POLICY), passage(2, POLICY, document_id="doc_b")
    await retrieval.items.add(ADA, [first])
    assert shown(await find(retrieval)) == [first.id]
    await retrieval.items.add(ADA, [second])
    assert shown(await find(retrieval)) == [first.id, second.id]
    await retrieval.items.bury_document(ADA, "doc_a")
    assert shown(await find(retrieval)) == [second.id]


def a_document(document_id: str, user_id: str = ADA) -> Document:
    return Document(
        id=document_id,
        user_id=user_id,
        filename=f"{document_id}.md",
        mime="text/markdown",
        size=1,
        sha256=document_id,
        state="completed",
        metadata=Metadata(title="Notes"),
        chunks=1,
        searchable=1,
        embedded=1,
        added_at=NOW,
        updated_at=NOW,
    )


@pytest.mark.parametrize("throw_away", ["the folder", "the collection"])
async def test_an_index_that_was_thrown_away_is_filled_again_after_the_next_start(
    throw_away: str, open_retrieval: Open, truth: SqliteTruth, tmp_path: Path
) -> None:
    retrieval = await open_retrieval()
    item, theirs = passage(1, POLICY), passage(2, POLICY, BOB, "doc_b")
    for user_id, each in ((ADA, item), (BOB, theirs)):
        document = a_document(str(each.document_id), user_id)
        await truth.collection("documents").upsert(document.model_dump(by_alias=True, mode="json"))
        await retrieval.items.add(user_id, [each])
        await retrieval.items.embed_pending(user_id, str(each.document_id), 10)
    await retrieval.stop()
    lost = tmp_path / "index"
    shutil.rmtree(lost if throw_away == "the folder" else lost / "collections")

    again = await open_retrieval()
    documents = await truth.collection("documents").find()
    assert [document["embedded"] for document in documents] == [0, 0], "so that their vectors are computed again"
    assert await again.items.repair() == 2
    assert shown(await find(again)) == [item.id]
    assert shown(await find(again, user_id=BOB)) == [theirs.id]
    await again.items.embed_pending(ADA, "doc_a", 10)
    assert (await find(again)).sources[0].passages[0].dense_rank == 1


async def test_what_a_question_finds_by_words_is_next_in_line(open_retrieval: Open) -> None:
    retrieval = await open_retrieval()
    await retrieval.items.add(ADA, [passage(1, POLICY), passage(2, "Of something else entirely.", ADA, "doc_b")])
    assert (await find(retrieval)).sources[0].passages[0].dense_rank is None
    await retrieval.embedder.drain()
    assert await retrieval.items.count_pending_vectors(ADA, "doc_a") == 0
    assert await retrieval.items.count_pending_vectors(ADA, "doc_b") == 1, "nobody asked for it"
    assert (await find(retrieval)).sources[0].passages[0].dense_rank == 1


async def test_a_search_holds_the_precedence_of_questions(open_retrieval: Open) -> None:
    retrieval = await open_retrieval()
    held: list[bool] = []
    load = retrieval.items.load

    async def seen(user_id: str, ids: Sequence[str]) -> list[MemoryItem]:
        held.append(retrieval.questions.held)
        return await load(user_id, ids)

    retrieval.items.load = seen  # type: ignore[method-assign]
    retrieval.pipeline.renew()
    await find(retrieval)
    assert held == [True]
    assert not retrieval.questions.held


async def test_a_start_with_the_index_in_place_keeps_it(open_retrieval: Open, truth: SqliteTruth) -> None:
    retrieval = await open_retrieval()
    await retrieval.items.add(ADA, [passage(1, POLICY, scope=LIBRARY)])
    await retrieval.items.embed_pending(ADA, "doc_a", 10)
    await retrieval.stop()
    again = await open_retrieval()
    assert await again.items.repair() == 0
    assert await again.items.count_pending_vectors(ADA, "doc_a") == 0


class OtherEmbeddings(LetterEmbeddings):
    identity = EmbeddingIdentity("others", 26, Calibration(0.8, 1.0))


def dense_ranks(found: DocumentSearchResult) -> list[int | None]:
    return [each.dense_rank for source in found.sources for each in source.passages]


async def test_after_a_reindex_for_another_model_meaning_is_searched_again_without_a_restart(
    open_retrieval: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await open_retrieval()
    await first.items.add(ADA, [passage(1, POLICY, scope=LIBRARY)])
    await first.items.embed_pending(ADA, "doc_a", 10)
    await first.stop()

    monkeypatch.setattr("core.memory.retrieval.build_embeddings", lambda *_: OtherEmbeddings())
    retrieval = await open_retrieval()
    documents, pipeline = retrieval.documents, retrieval.pipeline
    assert retrieval.dense_off
    assert "Reindex" in retrieval.dense_off.en
    found = await find(retrieval)
    assert dense_ranks(found) == [None]

    state = await retrieval.rebuild()
    assert (state.state, state.embedded) == ("completed", 1)
    assert retrieval.dense_off is None
    assert (retrieval.documents, retrieval.pipeline) == (documents, pipeline), "whoever holds them goes on"
    assert dense_ranks(await find(retrieval)) == [1]
    assert retrieval.metrics.snapshot().counts["reindex_batches"] > 0

    await retrieval.reindexing.roll_back()
    assert retrieval.dense_off
    assert dense_ranks(await find(retrieval)) == [None]


async def test_a_check_gives_back_what_the_index_has_lost_and_has_the_vectors_counted_again(
    retrieval: Retrieval, truth: SqliteTruth
) -> None:
    document = a_document("doc_a", ADA)
    await truth.collection("documents").upsert(document.model_dump(by_alias=True, mode="json"))
    item = passage(1, POLICY, scope=LIBRARY)
    await retrieval.items.add(ADA, [item])
    await retrieval.items.embed_pending(ADA, "doc_a", 10)
    await retrieval.index.delete([point_id(item.id)])
    assert (await retrieval.check(dry_run=True)).missing == 1
    assert shown(await find(retrieval)) == []

    assert (await retrieval.check()).missing == 1
    assert shown(await find(retrieval)) == [item.id]
    (row,) = await truth.collection("documents").find()
    assert row["embedded"] == 0, "so that the upkeep of the library computes its vectors again"
    assert retrieval.metrics.snapshot().counts["repairs"] == 1


async def test_a_model_that_was_away_at_the_start_is_taken_up_by_the_upkeep(
    open_retrieval: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away(LetterEmbeddings):
        away = True

        async def embed_query(self, text: str) -> Vector:
            if self.away:
                raise unreachable("away")
            return await super().embed_query(text)

    model = Away()
    monkeypatch.setattr("core.memory.retrieval.build_embeddings", lambda *_: model)
    retrieval = await open_retrieval()
    await retrieval.items.add(ADA, [passage(1, POLICY, scope=LIBRARY)])
    await retrieval.keep_up()
    assert retrieval.dense_off
    model.away = False
    await retrieval.keep_up()
    assert retrieval.dense_off is None
    await retrieval.items.embed_pending(ADA, "doc_a", 10)
    assert dense_ranks(await find(retrieval)) == [1]


async def test_upkeep_forgets_vectors_that_nobody_used(retrieval: Retrieval, truth: SqliteTruth) -> None:
    cache = truth.collection("embedding_cache")
    retrieval.embeddings = CachedEmbeddings(LetterEmbeddings(), cache, lambda: NOW, days=1.0)
    for name, used_at in (("old", NOW - 86_401), ("new", NOW)):
        await cache.upsert({"_id": name, "model": "letters", "vector": "", "used_at": used_at})
    await retrieval.keep_up()
    assert [row["_id"] for row in await cache.find()] == ["new"]
