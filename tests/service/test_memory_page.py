"""Tests the Memory tab's data and changes, through its endpoints and for two users."""

from __future__ import annotations

from typing import Any

import pytest

from core.memory.items.records import AnswerRecord, NewMemory
from core.store.truth import Change
from tests.service.calling import Endpoints
from tests.service.conftest import Open
from tests.service.house import House


def api(house: House, user: str = "ada") -> Endpoints:
    return Endpoints(house, user)


async def remembered(house: House, text: str, user: str = "ada", **given: Any) -> str:
    new = NewMemory(tier="working", kind="takeaway", text=text, **given)
    return (await house.workbench.memory.store(user, new)).id


async def scored(house: House, memory_id: str, score: float, uses: int) -> None:
    """Sets score and uses as if answers had led to them."""
    items = house.workbench.retrieval.items
    assert await items.change("ada", memory_id, Change(set={"stats.score": score, "stats.uses": uses}))


async def test_a_hit_is_whole_and_its_parts_add_up(house: House) -> None:
    text = "The pump at Haifa needs a new seal. " + "It was looked at again. " * 40
    await remembered(house, text)
    found: Any = await api(house).search_memory("pump seal Haifa")
    [hit] = found["hits"]
    assert hit["text"] == text
    assert hit["position"] == 1
    assert sum(each["amount"] for each in hit["segments"]) == pytest.approx(hit["parts"]["final"], abs=0.003)
    assert hit["pin"]["text"] == text


async def test_a_tier_that_was_not_asked_for_is_not_shown(house: House) -> None:
    await remembered(house, "The pump at Haifa needs a seal.")
    await api(house).add_bank_item("The pump at Haifa is called Miriam.", ["context"])
    found: Any = await api(house).search_memory("pump Haifa", ["history"])
    assert found["hits"] == []
    found = await api(house).search_memory("pump Haifa", ["memory_bank"])
    assert [(hit["tier"], hit["position"]) for hit in found["hits"]] == [("memory_bank", 1)]


async def test_an_empty_search_is_refused_in_words(house: House) -> None:
    reply: Any = await api(house).search_memory("  ")
    assert reply["problem"]["what"] == "There is nothing to search for."


async def test_what_a_promotion_would_move_is_what_it_moves(house: House) -> None:
    rising = await remembered(house, "Seals come from Pelagit.")
    failing = await remembered(house, "Seals come from nowhere.")
    waiting = await remembered(house, "Seals are black.")
    await scored(house, rising, 0.95, 3)
    await scored(house, failing, 0.1, 2)
    foreseen: Any = await api(house).promote_memory()
    moves = [(each["memory_id"], each["to_tier"], each["reason"]) for each in foreseen["moves"]]
    assert sorted(moves) == sorted(
        [(rising, "history", "promoted"), (rising, "patterns", "promoted"), (failing, "working", "garbage")]
    )
    assert {each["text"] for each in foreseen["moves"]} == {"Seals come from Pelagit.", "Seals come from nowhere."}
    page: Any = await api(house).list_tier("working")
    assert len(page["items"]) == 3
    done: Any = await api(house).promote_memory(False)
    assert sorted((each["memory_id"], each["to_tier"], each["reason"]) for each in done["moves"]) == sorted(moves)
    page = await api(house).list_tier("working")
    assert [each["id"] for each in page["items"]] == [waiting]
    history: Any = await api(house).memory_history(rising)
    assert [each["to_tier"] for each in history["moves"]] == ["patterns", "history"]


async def test_tiers_are_counted_and_paged(house: House) -> None:
    for number in range(5):
        await scored(house, await remembered(house, f"Reservoir {number} holds water."), number / 4, 1)
    stats: Any = await api(house).memory_stats()
    working = stats["tiers"][0]
    assert (working["tier"], working["count"], working["rises_to"]) == ("working", 5, "history")
    assert working["scores"] == [1, 0, 1, 0, 0, 1, 0, 1, 0, 1]
    assert stats["enabled"]
    seen: list[float] = []
    after = ""
    while after is not None:
        page: Any = await api(house).list_tier("working", "score", after, 2)
        seen += [each["score"] for each in page["items"]]
        after = page["next"]
    assert seen == [1.0, 0.75, 0.5, 0.25, 0.0]


async def test_an_entry_is_edited_and_given_its_earlier_text_again(house: House) -> None:
    mine = api(house)
    added: Any = await mine.add_bank_item("The office is in Haifa.", ["identity"], True)
    identifier = added["item"]["id"]
    assert (added["what"], added["item"]["always_inject"]) == ("new", True)
    await mine.update_bank_item(identifier, "The office is in Acre.")
    found: Any = await mine.search_memory("office Haifa", ["memory_bank"])
    assert [hit["text"] for hit in found["hits"]] == ["The office is in Acre."]
    versions: Any = await mine.bank_versions(identifier)
    [old] = versions["versions"]
    assert old["text"] == "The office is in Haifa."
    restored: Any = await mine.restore_bank_version(identifier, old["id"])
    assert restored["item"]["text"] == "The office is in Haifa."


async def test_what_goes_can_come_back(house: House) -> None:
    mine = api(house)
    added: Any = await mine.add_bank_item("The office is in Haifa.")
    identifier = added["item"]["id"]
    await mine.archive_bank_item(identifier)
    archived: Any = await mine.list_bank("archived")
    assert [each["id"] for each in archived["items"]] == [identifier]
    await mine.restore_bank_item(identifier)
    await mine.delete_bank_item(identifier)
    listed: Any = await mine.list_bank()
    assert listed["items"] == []
    await mine.undelete_bank_item(identifier)
    listed = await mine.list_bank()
    assert [each["id"] for each in listed["items"]] == [identifier]


async def test_the_guard_says_what_is_wrong(house: House) -> None:
    refused: Any = await api(house).add_bank_item("User: hello\nAssistant: hello to you")
    assert refused["problem"]["remedy"]
    refused = await api(house).add_bank_item("The office is in Haifa.", ["nonsense"])
    assert "identity" in refused["problem"]["remedy"]


async def test_goals_and_values_go_and_come_back(house: House) -> None:
    mine = api(house)
    goal: Any = await mine.add_goal("Finish the audit by March")
    await mine.add_value("יושר לפני מהירות")
    listed: Any = await mine.list_goals()
    assert [each["text"] for each in listed["goals"]] == ["Finish the audit by March"]
    listed = await mine.list_values()
    assert [each["text"] for each in listed["values"]] == ["יושר לפני מהירות"]
    await mine.remove_goal("audit")
    listed = await mine.list_goals()
    assert listed["goals"] == []
    await mine.restore_bank_item(goal["item"]["id"])
    listed = await mine.list_goals()
    assert [each["id"] for each in listed["goals"]] == [goal["item"]["id"]]


async def test_a_conversation_shows_what_it_left(house: House) -> None:
    conversation = await house.workbench.conversations.start("ada", "What is the lodging limit?")
    await remembered(house, "The limit is 560.", conversation_id=conversation.id)
    memory = house.workbench.memory
    record = AnswerRecord(
        id="msg_" + "1" * 32,
        user_id="ada",
        conversation_id=conversation.id,
        question="What is the lodging limit?",
        created_at=1.0,
    )
    await memory.remember_answer(record)
    left: Any = await api(house).conversation_memory(conversation.id)
    assert [each["text"] for each in left["said"]] == ["The limit is 560."]
    assert [each["question"] for each in left["asked"]] == ["What is the lodging limit?"]
    hidden: Any = await api(house, "bea").conversation_memory(conversation.id)
    assert hidden["problem"]


async def test_nobody_sees_or_changes_what_another_remembers(house: House) -> None:
    secret = await remembered(house, "The safe opens with 1234.")
    added: Any = await api(house).add_bank_item("The safe is behind the map.")
    identifier = added["item"]["id"]
    goal: Any = await api(house).add_goal("Move the safe")
    bea = api(house, "bea")
    for reply in (
        await bea.memory_history(secret),
        await bea.update_bank_item(identifier, "The safe is gone."),
        await bea.archive_bank_item(identifier),
        await bea.delete_bank_item(identifier),
        await bea.undelete_bank_item(identifier),
        await bea.restore_bank_item(identifier),
        await bea.bank_versions(identifier),
        await bea.remove_goal(goal["item"]["id"]),
    ):
        assert reply["problem"]
    found: Any = await bea.search_memory("safe")
    page: Any = await bea.list_tier("working", after=secret)
    bank: Any = await bea.list_bank()
    goals: Any = await bea.list_goals()
    assert (found["hits"], page["items"], bank["items"], goals["goals"]) == ([], [], [], [])
    stats: Any = await bea.memory_stats()
    assert sum(each["count"] for each in stats["tiers"]) == 0


async def test_a_memory_that_is_switched_off_says_so(open_house: Open) -> None:
    house = await open_house(memory={"enabled": False})
    stats: Any = await api(house).memory_stats()
    assert stats["enabled"] is False
