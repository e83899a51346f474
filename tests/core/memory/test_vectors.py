"""Tests that a vector belongs to a text and is never used after the text changed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from core.memory.items.index_writer import vector_hash
from core.memory.items.writing import MemoryItems
from core.models.embeddings import Embeddings
from core.store.edge import EdgeIndex
from core.store.items import MemoryItem
from core.store.sqlite.truth import SqliteTruth

MakeItem = Callable[..., MemoryItem]


@pytest.fixture
async def items(truth: SqliteTruth, index: EdgeIndex, embeddings: Embeddings) -> MemoryItems:
    ticks = count(1)
    made = MemoryItems(truth, index, embeddings, lambda: float(next(ticks)))
    await made.ensure()
    return made


async def test_what_waits_is_told_by_user_and_by_document_in_reading_order(
    items: MemoryItems, make_item: MakeItem
) -> None:
    await items.add("ada", [make_item(2, "beta"), make_item(1, "alpha"), make_item(3, "gamma", document_id="doc_2")])
    await items.add("bob", [make_item(4, "delta", user_id="bob")])
    waiting = await items.pending_vectors("ada", None, 10)
    assert [item.text for item in waiting] == ["alpha", "beta", "gamma"]
    assert [item.text for item in await items.pending_vectors("ada", "doc_2", 10)] == ["gamma"]
    assert len(await items.pending_vectors(None, None, 10)) == 4
    assert len(await items.pending_vectors(None, None, 3)) == 3


async def test_a_vector_that_comes_after_its_text_has_changed_is_not_taken_for_the_new_one(
    items: MemoryItems, embeddings: Embeddings, make_item: MakeItem
) -> None:
    await items.add("ada", [make_item(1, "alpha")])
    waiting = await items.pending_vectors("ada", None, 10)
    vectors = await embeddings.embed_passages([item.embedded_text for item in waiting])
    await items.add("ada", [make_item(1, "beta")])
    await items.set_vectors(waiting, vectors)
    again = await items.pending_vectors("ada", None, 10)
    assert [item.text for item in again] == ["beta"]
    await items.set_vectors(again, await embeddings.embed_passages([item.embedded_text for item in again]))
    assert await items.pending_vectors("ada", None, 10) == []
    stored = await items.get("ada", again[0].id)
    assert stored is not None
    assert stored.embedding.vector_hash == vector_hash(stored, embeddings.identity.model)


def test_the_hash_covers_prefix_text_and_model(make_item: MakeItem) -> None:
    item = make_item(1, "alpha")
    prefixed = item.model_copy(update={"embedding": item.embedding.model_copy(update={"prefix": "Book: A."})})
    hashes = {
        vector_hash(item, "m"),
        vector_hash(prefixed, "m"),
        vector_hash(item, "n"),
        vector_hash(make_item(1, "b"), "m"),
    }
    assert len(hashes) == 4
