"""Tests all ways of reading the memory with two users: neither sees the other's data."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.ids import new_id
from core.memory.items.records import ActionTaken, AnswerRecord, NewMemory
from core.memory.memory import Memory
from core.memory.outcomes.scoring import quality
from core.memory.recall.records import MemoryQuery
from core.memory.recall.turn import Turn
from core.store.items import MemoryItem
from tests.service.house import POLICY, House

SECRET = "heliotrope"

Read = Callable[[Memory, "Planted", Path], Awaitable[object]]


class Planted:
    """Ada's test data: a fact, an exchange, an answer and a document, which all contain one special word."""

    def __init__(self, fact: MemoryItem, exchange: MemoryItem, answer_id: str, document_id: str) -> None:
        self.fact, self.exchange, self.answer_id, self.document_id = fact, exchange, answer_id, document_id


@pytest.fixture
async def planted(house: House) -> Planted:
    memory = house.workbench.memory
    fact = NewMemory(
        tier="memory_bank",
        text=f"The password of the vault is {SECRET}.",
        tags=["identity"],
        quality=quality(0.9, 0.9),
        summary="Vault",
        always_inject=True,
        entities=["vault"],
    )
    stored = await memory.store("ada", fact)
    exchange = await memory.store(
        "ada",
        NewMemory(tier="working", kind="exchange", text=f"User: vault?\nAssistant: {SECRET}", question="vault?"),
    )
    document = await house.read("vault.md", f"{POLICY}\n\nThe vault opens with {SECRET}.\n")
    await memory.goals.add("ada", "goal", f"Change {SECRET} every month.")
    await memory.store_data("ada", "vault", SECRET)
    answer_id = new_id("msg")
    for _ in range(3):
        record = AnswerRecord(
            id=answer_id,
            user_id="ada",
            question="How does the vault open?",
            concepts=["vault"],
            positions=[exchange.id],
            tiers={exchange.id: "working"},
            actions=[ActionTaken(name="inquire")],
            created_at=1.0,
        )
        await memory.remember_answer(record)
        await memory.record_outcome("ada", answer_id, "worked")
        answer_id = new_id("msg")
    await memory.settle()
    return Planted(stored, exchange, record.id, document.id)


async def _edit(memory: Memory, planted: Planted, folder: Path) -> object:
    return await memory.bank.edit("bob", planted.fact.id, text="mine now")


READS: dict[str, Read] = {
    "search": lambda m, p, f: m.search(MemoryQuery("bob", f"vault {SECRET}")),
    "search of one tier": lambda m, p, f: m.search(MemoryQuery("bob", SECRET, tiers=["memory_bank"])),
    "retrieve_from_books": lambda m, p, f: m.retrieve_from_books("bob", f"vault {SECRET}"),
    "prefetch_context": lambda m, p, f: m.prefetch_context("bob", f"vault {SECRET}", cold=True),
    "get_cold_start_context": lambda m, p, f: m.get_cold_start_context("bob"),
    "get_context_insights": lambda m, p, f: m.get_context_insights("bob", "How does the vault open?"),
    "get_action_effectiveness": lambda m, p, f: m.get_action_effectiveness("bob", "general"),
    "get_tier_recommendations": lambda m, p, f: m.get_tier_recommendations("bob", "vault"),
    "get_facts_for_entities": lambda m, p, f: m.get_facts_for_entities("bob", ["vault"]),
    "items": lambda m, p, f: m.items("bob", [p.fact.id, p.exchange.id]),
    "get_user_context": lambda m, p, f: m.get_user_context("bob"),
    "answer": lambda m, p, f: m.answer("bob", p.answer_id),
    "answers": lambda m, p, f: m.answers("bob", [p.answer_id]),
    "outcome_events_of": lambda m, p, f: m.outcome_events_of("bob", p.answer_id),
    "stats": lambda m, p, f: m.stats("bob"),
    "list_books": lambda m, p, f: m.list_books("bob"),
    "retrieve_data": lambda m, p, f: m.retrieve_data("bob", "vault"),
    "promote_now": lambda m, p, f: m.promote_now("bob"),
    "goals": lambda m, p, f: m.goals.list("bob", "goal"),
    "take_in": lambda m, p, f: m.take_in("bob", "portal", {"one": "A set of wells."}),
    "forget_source": lambda m, p, f: m.forget_source("bob", "portal"),
    "bank.list": lambda m, p, f: m.bank.list("bob"),
    "bank.stats": lambda m, p, f: m.bank.stats("bob"),
    "bank.tags": lambda m, p, f: m.bank.tags("bob"),
    "bank.always_injected": lambda m, p, f: m.bank.always_injected("bob"),
}
REFUSED: dict[str, Read] = {
    "bank.get": lambda m, p, f: m.bank.get("bob", p.fact.id),
    "bank.versions": lambda m, p, f: m.bank.versions("bob", p.fact.id),
    "bank.edit": _edit,
    "bank.archive": lambda m, p, f: m.bank.archive("bob", p.fact.id),
    "bank.delete": lambda m, p, f: m.bank.delete("bob", p.fact.id),
    "bank.resolve": lambda m, p, f: m.bank.resolve("bob", None, "password of the vault"),
    "record_outcome": lambda m, p, f: m.record_outcome("bob", p.answer_id, "failed"),
    "record_feedback": lambda m, p, f: m.record_feedback("bob", p.answer_id, "failed"),
    "goals.remove": lambda m, p, f: m.goals.remove("bob", "goal", SECRET),
    "remove_book": lambda m, p, f: m.remove_book("bob", p.document_id),
}
WRITES = {"store", "remember_answer", "noticed_message", "record_action_outcome", "record_response", "record_of"}
WRITES |= {"store_data", "remember_transcript", "settle", "detect_context_type", "consistency_check", "reindex"}
WRITES |= {"set_aside", "bring_back"}
BACKUPS = {"export_backup", "import_backup"}


@pytest.mark.parametrize("name", READS)
async def test_a_reader_sees_nothing_of_another(house: House, planted: Planted, tmp_path: Path, name: str) -> None:
    found = await READS[name](house.workbench.memory, planted, tmp_path)
    assert SECRET not in repr(found)
    assert planted.fact.id not in repr(found)
    assert planted.exchange.id not in repr(found)


async def test_what_one_took_in_of_a_source_another_neither_changes_nor_forgets(house: House) -> None:
    memory = house.workbench.memory
    await memory.take_in("ada", "portal", {"one": f"A set of {SECRET}."})
    await memory.take_in("bob", "portal", {"one": "A set of wells."})
    assert await memory.forget_source("bob", "portal") == 1
    assert await memory.forget_source("ada", "portal") == 1


async def test_what_was_said_of_an_answer_is_told_to_its_reader_alone(house: House, planted: Planted) -> None:
    assert [each.outcome for each in await house.workbench.memory.outcome_events_of("ada", planted.answer_id)] == [
        "worked"
    ]
    assert await house.workbench.memory.outcome_events_of("bob", planted.answer_id) == []


async def test_what_one_was_answered_is_set_aside_only_by_its_owner(house: House, planted: Planted) -> None:
    memory, new = house.workbench.memory, NewMemory(
        tier="working", kind="exchange", text="User: vault?\nAssistant: locked", question="vault?", answer="locked",
        message_id="msg_1",
    )  # fmt: skip
    stored = await memory.store("ada", new)
    await memory.set_aside("bob", ["msg_1"])
    assert [each.id for each in await memory.items("ada", [stored.id])] == [stored.id]
    await memory.set_aside("ada", ["msg_1"])
    assert await memory.items("ada", [stored.id]) == []
    await memory.bring_back("bob", ["msg_1"])
    assert await memory.items("ada", [stored.id]) == []
    await memory.bring_back("ada", ["msg_1"])
    assert [each.id for each in await memory.items("ada", [stored.id])] == [stored.id]


@pytest.mark.parametrize("name", REFUSED)
async def test_what_is_anothers_does_not_exist(house: House, planted: Planted, tmp_path: Path, name: str) -> None:
    memory = house.workbench.memory
    with pytest.raises(PalimpsestError) as refused:
        await REFUSED[name](memory, planted, tmp_path)
    assert refused.value.problem.category == "not_found"
    assert (await memory.bank.get("ada", planted.fact.id)).text == planted.fact.text
    assert (await memory.bank.get("ada", planted.fact.id)).status == "active"


async def test_a_backup_holds_its_users_things_alone(house: House, planted: Planted, tmp_path: Path) -> None:
    memory = house.workbench.memory
    await memory.export_backup("bob", tmp_path / "bob.zip")
    await memory.export_backup("ada", tmp_path / "ada.zip")
    plan = await memory.import_backup("bob", tmp_path / "bob.zip", dry_run=True)
    assert SECRET not in repr(plan)
    turn = Turn("bob", new_id("msg"), "vault?")
    turn.shown([(planted.exchange.id, "working")])
    await memory.remember_answer(memory.record_of(turn))
    effect = await memory.record_outcome("bob", turn.answer_id, "failed")
    assert effect.moved == []


def test_every_method_of_the_facade_is_driven_here() -> None:
    public = {name for name, _ in inspect.getmembers(Memory, inspect.isfunction) if not name.startswith("_")}
    driven = {name.split(".")[0].split(" ")[0] for name in [*READS, *REFUSED]}
    assert public <= driven | WRITES | BACKUPS
