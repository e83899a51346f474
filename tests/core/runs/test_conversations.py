from __future__ import annotations

import pytest

from core.errors import PalimpsestError
from core.ids import new_id
from core.runs.conversations import Conversations
from core.store.sqlite.truth import SqliteTruth


@pytest.fixture
async def conversations(truth: SqliteTruth, clock) -> Conversations:
    conversations = Conversations(truth, clock, new_id)
    await conversations.ensure()
    return conversations


async def asked(conversations: Conversations, user: str, question: str, run_id: str = "run_1"):
    begun = await conversations.start(user, question)
    await conversations.add_turn(begun, question, run_id=run_id, language="en", mode="enhanced")
    return begun


@pytest.mark.parametrize(
    ("words", "found"), [("LEASE", True), ("שכירות", True), ("nowhere", False), ("", True), ("ninth", True)]
)
async def test_titles_and_questions_are_searched(conversations, words, found) -> None:
    await asked(conversations, "ada", "the lease שכירות one two three four five six ninth")
    await asked(conversations, "bob", "the lease שכירות nowhere ninth")
    assert bool(await conversations.search("ada", words)) is found


async def test_a_hit_outside_the_title_tells_its_question(conversations) -> None:
    await asked(conversations, "ada", "a b c d e f g h hidden")
    (hit,) = await conversations.search("ada", "Hidden")
    assert hit.question == "a b c d e f g h hidden"


async def test_a_model_does_not_overwrite_a_persons_title(conversations) -> None:
    begun = await asked(conversations, "ada", "why")
    assert (await conversations.rename("ada", begun.id, "  שם חדש ")).title == "שם חדש"
    assert not await conversations.name("ada", begun.id, "by a model")
    assert (await conversations.get("ada", begun.id)).title == "שם חדש"


@pytest.mark.parametrize("title", ["", "   ", "x" * 201, "two\nlines", "bell\x07"])
async def test_what_is_no_title_is_refused(conversations, title) -> None:
    begun = await asked(conversations, "ada", "why")
    with pytest.raises(PalimpsestError):
        await conversations.rename("ada", begun.id, title)
    assert (await conversations.get("ada", begun.id)).title == "why"


async def test_a_deleted_one_is_gone_at_once_and_comes_back(conversations) -> None:
    begun = await asked(conversations, "ada", "why")
    await conversations.delete("ada", begun.id)
    assert await conversations.search("ada", "") == [] == await conversations.messages("ada", begun.id)
    for gone in (conversations.get, conversations.delete):
        with pytest.raises(PalimpsestError):
            await gone("ada", begun.id)
    with pytest.raises(PalimpsestError):
        await conversations.add_turn(begun, "more", run_id="run_2", language="en", mode="enhanced")
    await conversations.restore("ada", begun.id)
    assert len(await conversations.messages("ada", begun.id)) == 2


async def test_it_is_removed_after_the_time_to_undo(conversations, truth, clock) -> None:
    begun = await asked(conversations, "ada", "why")
    kept = await asked(conversations, "ada", "why not", "run_2")
    await conversations.delete("ada", begun.id)
    assert await conversations.expired(60) == []
    clock.now += 60
    (over,) = await conversations.expired(60)
    with pytest.raises(PalimpsestError):
        await conversations.restore("ada", begun.id)
    assert await conversations.runs_of(over) == ["run_1"]
    await conversations.remove(over)
    assert await conversations.expired(60) == []
    assert await truth.collection("messages").count({"conversation_id": begun.id}) == 0
    with pytest.raises(PalimpsestError):
        await conversations.restore("ada", begun.id)
    assert len(await conversations.messages("ada", kept.id)) == 2


async def test_nobody_changes_anothers(conversations) -> None:
    begun = await asked(conversations, "ada", "why")
    for change in (
        conversations.delete("bob", begun.id),
        conversations.restore("bob", begun.id),
        conversations.rename("bob", begun.id, "mine"),
    ):
        with pytest.raises(PalimpsestError):
            await change
    assert (await conversations.get("ada", begun.id)).title == "why"
