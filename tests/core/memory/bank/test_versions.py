"""Tests that earlier texts are kept once, newest first, and visible only to their owner."""

from __future__ import annotations

import itertools

import pytest

from core.memory.bank.versions import Versions, version_id
from core.memory.outcomes.scoring import quality
from core.store.items import ItemSource, MemoryItem, Timestamps
from core.store.sqlite.truth import SqliteTruth


def item(number: int = 1, text: str = "Ada likes tea", version: int = 1, user_id: str = "ada") -> MemoryItem:
    made = MemoryItem(
        id=f"mem_{number:032x}",
        user_id=user_id,
        tier="memory_bank",
        text=text,
        tags=["preference"],
        quality=quality(0.8, 0.5),
        source=ItemSource(type="user"),
        timestamps=Timestamps(created_at=1.0, updated_at=1.0),
    )
    return made.model_copy(update={"versioning": made.versioning.model_copy(update={"current_version": version})})


@pytest.fixture
async def versions(truth: SqliteTruth) -> Versions:
    clock = itertools.count(100)
    kept = Versions(truth, lambda: float(next(clock)))
    await kept.ensure()
    return kept


async def test_a_text_is_kept_once(versions: Versions) -> None:
    first = await versions.keep(item(), "edited")
    again = await versions.keep(item(), "updated")
    assert again == first
    assert (first.archived_text, first.archived_tags, first.number) == ("Ada likes tea", ["preference"], 1)
    assert first.archived_quality == quality(0.8, 0.5)
    assert await versions.of("ada", item().id) == [first]
    assert await versions.get("ada", first.id) == first


async def test_the_newest_comes_first(versions: Versions) -> None:
    for number, text in enumerate(("one", "two", "three"), start=1):
        await versions.keep(item(text=text, version=number), "edited")
    assert [each.archived_text for each in await versions.of("ada", item().id)] == ["three", "two", "one"]


async def test_what_was_merged_belongs_to_the_winner_too(versions: Versions) -> None:
    merged = await versions.keep(item(2, "Ada enjoys tea"), "merged", item(1).id)
    assert await versions.of("ada", item(1).id) == [merged]
    assert await versions.of("ada", item(2).id) == [merged]
    # The same text may later be a separate item, and be edited.
    await versions.keep(item(2, "Ada enjoys tea"), "edited")
    assert len(await versions.of("ada", item(2).id)) == 2


async def test_nobody_sees_the_texts_of_another(versions: Versions) -> None:
    kept = await versions.keep(item(), "edited")
    assert await versions.of("ben", item().id) == []
    assert await versions.get("ben", kept.id) is None


def test_ids_follow_from_item_and_number() -> None:
    made = {version_id("mem_1", 1), version_id("mem_1", 2), version_id("mem_2", 1), version_id("mem_1", 1, "mem_2")}
    assert len(made) == 4
    assert version_id("mem_1", 1) == version_id("mem_1", 1)
