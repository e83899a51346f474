from __future__ import annotations

import asyncio

import pytest

from core.errors import PalimpsestError
from core.events import Sources
from core.setting_groups import Deadlines
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY, GatedEmbeddings, House, until

QUESTION = "What is reimbursed for a night in a hotel in Haifa?"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """An event; answers wait until it is set."""
    gate = asyncio.Event()
    from core.models.extractive import ExtractiveAnswerer

    answer = ExtractiveAnswerer.answer

    async def waiting(*given: object, **named: object) -> object:
        await gate.wait()
        return await answer(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(ExtractiveAnswerer, "answer", waiting)
    return gate


async def test_an_answer_quotes_a_document_and_replays_to_the_same_view(house: House) -> None:
    await house.read("policy.md", POLICY)
    asked = await house.workbench.ask("ada", QUESTION)
    live = await house.entries("ada", asked.run_id)
    replayed = await house.workbench.ledger.entries("ada", asked.run_id)
    from pages.run_view import RunView

    views = [RunView.of(asked.run_id, asked.message_id, entries) for entries in (live, replayed)]
    assert views[0].outcome == views[1].outcome == "answered"
    assert views[0].response is not None
    assert "560 shekels" in views[0].response.text
    assert views[0].html() == views[1].html()
    messages = await house.workbench.conversations.messages("ada", asked.conversation.id)
    assert [(message.role, message.text) for message in messages] == [("user", QUESTION), ("assistant", "")]


async def test_a_question_during_reading_waits_for_a_time_and_says_what_was_searched(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house(deadlines=Deadlines(wait_at_most=0.3))
    await house.read("policy.md", POLICY)

    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("core.library.reading.Readers.read_file", never)
    await house.give("contract.md", CONTRACT)
    answer = await house.ask(QUESTION)
    assert "Answered from 1 of 2 documents" in answer.view.html()
    assert answer.view.sources
    shares = [entry.event.searchable_share for entry in answer.entries if isinstance(entry.event, Sources)]
    assert shares == [0.5]


async def test_a_question_right_after_an_upload_finds_its_text(house: House) -> None:
    await house.give("policy.md", POLICY)
    answer = await house.ask(QUESTION)
    assert [source.filename for source in answer.view.sources] == ["policy.md"]
    assert answer.view.partly is None


async def test_one_answer_at_a_time_in_a_conversation(house: House, held: asyncio.Event) -> None:
    await house.read("policy.md", POLICY)
    first = await house.workbench.ask("ada", QUESTION)
    with pytest.raises(PalimpsestError) as caught:
        await house.workbench.ask("ada", "And dinner?", conversation_id=first.conversation.id)
    assert "still being answered" in caught.value.problem.what.en
    elsewhere = await house.workbench.ask("ada", "And dinner?")
    held.set()
    await house.entries("ada", first.run_id)
    await house.entries("ada", elsewhere.run_id)
    again = await house.ask("And dinner?", conversation_id=first.conversation.id)
    assert again.view.outcome == "answered"


async def test_of_two_questions_at_once_one_is_taken(house: House, held: asyncio.Event) -> None:
    held.set()
    thread = (await house.ask(QUESTION)).asked.conversation.id
    held.clear()
    asked = await asyncio.gather(
        *(house.workbench.ask("ada", QUESTION, conversation_id=thread) for _ in range(4)), return_exceptions=True
    )
    held.set()
    taken = [each for each in asked if not isinstance(each, BaseException)]
    assert len(taken) == 1
    assert all(isinstance(each, PalimpsestError) for each in asked if isinstance(each, BaseException))
    await house.entries("ada", taken[0].run_id)


async def test_stopping_twice_ends_a_run_once(house: House, held: asyncio.Event) -> None:
    await house.read("policy.md", POLICY)
    asked = await house.workbench.ask("ada", QUESTION)
    await asyncio.gather(*(house.workbench.cancel("ada", asked.run_id) for _ in range(3)))
    entries = await house.entries("ada", asked.run_id)
    await house.workbench.cancel("ada", asked.run_id)
    assert [entry.event.type for entry in entries].count("run.completed") == 1
    assert await house.outcomes_of(asked.run_id) == ["cancelled"]
    held.set()
    assert (await house.ask(QUESTION, conversation_id=asked.conversation.id)).view.outcome == "answered"


async def test_without_a_model_an_unknown_one_is_refused_before_anything_begins(house: House) -> None:
    with pytest.raises(PalimpsestError):
        await house.workbench.ask("ada", QUESTION, model="openai:nobody")
    assert await house.workbench.conversations.search("ada", "") == []


async def test_switched_off_meaning_is_said_and_words_answer(house: House) -> None:
    await house.read("policy.md", POLICY)
    answer = await house.ask(QUESTION)
    assert "switched off" in answer.notices
    assert answer.view.sources
    assert (await house.workbench.health()).state == "amber"


async def test_embeddings_that_fail_later_are_said_and_words_answer(
    open_house: Open, embeddings: GatedEmbeddings
) -> None:
    house = await open_house(dense_enabled=True)
    await house.read("policy.md", POLICY)
    embeddings.broken = True
    answer = await house.ask(QUESTION)
    assert "Only keyword search was used" in answer.notices
    assert "secret-host" not in " ".join(entry.model_dump_json() for entry in answer.entries)
    assert answer.view.sources


async def test_an_index_of_another_model_turns_the_light_amber_with_the_remedy(
    open_house: Open, embeddings: GatedEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house(dense_enabled=True)
    await house.read("policy.md", POLICY)
    await house.workbench.stop()
    from core.models.embeddings import Calibration, EmbeddingIdentity

    monkeypatch.setattr(
        GatedEmbeddings, "identity", EmbeddingIdentity("letters of another kind", 27, Calibration(0.0, 1.0))
    )
    again = await open_house(dense_enabled=True)
    health = await again.workbench.health()
    assert health.state == "amber"
    part = next(part for part in health.parts if part.name.en == "Semantic search")
    assert part.state == "amber"
    assert "26" in part.meaning.en
    assert "27" in part.meaning.en
    answer = await again.ask(QUESTION)
    assert answer.view.sources
    assert "another model" in answer.notices
    second = await again.read("contract.md", CONTRACT)
    assert second.state == "completed"
    assert await again.found("Pelagit notice price rise") == {"contract.md"}


async def test_vectors_that_could_not_be_had_come_later(open_house: Open, embeddings: GatedEmbeddings) -> None:
    house = await open_house(dense_enabled=True)
    embeddings.broken = True
    document = await house.read("policy.md", POLICY)
    assert (document.state, document.embedded) == ("completed", 0)
    skipped = [step for step in house_steps(await house.entries("ada", document.run_id or "")) if step]
    assert any("Keyword search works" in words for words in skipped)
    assert "secret-host" not in " ".join(skipped)
    assert await house.found(QUESTION) == {"policy.md"}

    embeddings.broken = False

    async def idle() -> bool:
        return not await house.workbench._library.embedding.unfinished()

    await until(idle)
    await house.workbench.library.upkeep.finish_vectors()

    async def finished() -> bool:
        return (await house.workbench.library.get("ada", document.id)).embedded == document.chunks

    await until(finished)
    later = await house.settled(document)
    assert await house.outcomes(document) == ["completed"]
    assert await house.outcomes(later) == ["completed"]
    await house.assert_whole(later)
    await house.workbench.library.upkeep.finish_vectors()
    assert (await house.workbench.library.get("ada", document.id)).run_id == later.run_id


def house_steps(entries: list) -> list[str]:
    """Returns the reasons for skipped steps, in English."""
    return [entry.event.skipped.en for entry in entries if getattr(entry.event, "skipped", None)]
