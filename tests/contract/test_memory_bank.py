"""Tests the memory bank on both pairs of stores: a complete sequence of operations, race conditions, and two separate
users."""

from __future__ import annotations

import asyncio

import pytest

from core.errors import PalimpsestError
from core.memory.bank.bank import MemoryBank
from core.memory.bank.deduplication import Deduplication, SimilarItems
from core.memory.bank.versions import Versions
from core.memory.bank.write_guard import bank_entry
from core.memory.items.writing import MemoryItems
from core.resilience.dependencies import Dependency
from core.setting_groups import Memory
from core.store.index import Schema
from tests.contract.conftest import Stores

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]

ADA, BEN = "ada", "ben"


def bank_over(stores: Stores, now: float = 100.0) -> MemoryBank:
    truth, index = stores
    items = MemoryItems(truth, index, None, lambda: now)
    similar = SimilarItems(truth, items, index, None, Dependency("embeddings", 2.0))
    versions, settings = Versions(truth, lambda: now), Memory()
    dedup = Deduplication(similar, None, settings.dedup_similarity)
    return MemoryBank(truth, items, versions, dedup, lambda: now, settings)


@pytest.fixture
async def bank(stores: Stores) -> MemoryBank:
    truth, index = stores
    await index.start(Schema("axes", 4))
    await MemoryItems(truth, index, None, lambda: 0.0).ensure()
    bank = bank_over(stores)
    await bank.ensure()
    return bank


async def texts(bank: MemoryBank, user_id: str = ADA) -> list[str]:
    return sorted(item.text for item in await bank.list(user_id))


async def test_a_fact_is_added_updated_edited_and_put_away(bank: MemoryBank) -> None:
    first = await bank.add(ADA, bank_entry("התקציב של עדה הוא 500"))
    assert (await bank.add(ADA, bank_entry("התקציב של עדה הוא 700"))).what == "updated"
    assert (await bank.add(ADA, bank_entry("Ada likes tea"))).what == "new"
    assert (await bank.add(ADA, bank_entry("Ada enjoys tea"))).what == "merged"
    assert await texts(bank) == ["Ada enjoys tea", "התקציב של עדה הוא 700"]
    edited = await bank.edit(ADA, first.item.id, text="התקציב של עדה הוא 900", tags=["project"])
    assert [each.archived_text for each in await bank.versions(ADA, edited.id)] == [
        "התקציב של עדה הוא 700",
        "התקציב של עדה הוא 500",
    ]
    assert (await bank.resolve(ADA, match_query="תקציב")).id == edited.id
    await bank.archive(ADA, edited.id)
    assert await texts(bank) == ["Ada enjoys tea"]
    await bank.restore(ADA, edited.id)
    await bank.delete(ADA, edited.id)
    assert await texts(bank) == ["Ada enjoys tea"]
    await bank.undelete(ADA, edited.id)
    stats = await bank.stats(ADA)
    assert (stats.statuses, stats.tags) == ({"active": 2}, {"project": 1, "preference": 1})


async def test_lists_are_sorted_and_paged(bank: MemoryBank) -> None:
    for number, drink in enumerate(("tea", "coffee", "milk", "water", "juice")):
        await bank.add(ADA, bank_entry(f"Ada likes {drink}", importance=number / 10, always_inject=drink == "tea"))
    pages = []
    last = None
    while page := await bank.list(ADA, sort="quality", after=last, limit=2):
        pages += page
        last = page[-1]
    assert [item.text.split()[-1] for item in pages] == ["juice", "water", "milk", "coffee", "tea"]
    assert [item.text for item in await bank.always_injected(ADA)] == ["Ada likes tea"]
    assert len(await bank.list(ADA, tags=["preference"], text="ada like")) == 5


async def test_the_same_fact_at_once_is_one(bank: MemoryBank) -> None:
    await asyncio.gather(*(bank.add(ADA, bank_entry("Ada likes tea")) for _ in range(3)))
    assert await texts(bank) == ["Ada likes tea"]


async def test_two_processes_that_change_one_entry_do_not_overwrite_each_other(
    bank: MemoryBank, stores: Stores
) -> None:
    item = (await bank.add(ADA, bank_entry("Ada likes tea"))).item
    other = bank_over(stores)
    await other.edit(ADA, item.id, text="Ada likes green tea")
    with pytest.raises(PalimpsestError):
        await bank.edit(ADA, item.id, text="Ada likes black tea", if_version=item.version)
    assert await texts(bank) == ["Ada likes green tea"]


async def test_two_users_never_meet(bank: MemoryBank) -> None:
    ours = (await bank.add(ADA, bank_entry("the budget is 500"))).item
    assert (await bank.add(BEN, bank_entry("the budget is 700"))).what == "new"
    with pytest.raises(PalimpsestError):
        await bank.archive(BEN, ours.id)
    with pytest.raises(PalimpsestError):
        await bank.resolve(BEN, match_query="500 shekels")
    assert (await texts(bank), await texts(bank, BEN)) == (["the budget is 500"], ["the budget is 700"])
