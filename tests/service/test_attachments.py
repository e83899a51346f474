"""Tests documents attached to one conversation: read like any document, not visible elsewhere, published to the library
or deleted."""

from __future__ import annotations

import asyncio

import pytest

from core.errors import PalimpsestError
from core.runs.records import Conversation
from core.store.items import LIBRARY
from tests.service.conftest import Open
from tests.service.house import CONTRACT, HEBREW, POLICY, SMALL, Answer, GatedEmbeddings, House, long_text

HOTEL = "What is reimbursed for a night in a hotel in Haifa?"
NOTICE = "How many days before a price rise must Pelagit give notice?"
MAIL = "# Mail\n\nWe will reimburse a night in a hotel in Haifa up to 900 shekels.\n"


@pytest.fixture
async def thread(house: House) -> Conversation:
    return await house.workbench.conversations.start("ada", "Attachments")


async def act(house: House, action: str, question: str, thread: Conversation) -> Answer:
    asked = await house.workbench.ask("ada", question, conversation_id=thread.id, action=action)  # type: ignore[arg-type]
    return Answer(asked, await house.entries("ada", asked.run_id))


async def test_it_answers_in_its_conversation_and_is_seen_nowhere_else(house: House, thread: Conversation) -> None:
    document = await house.read("contract.md", CONTRACT, scope=thread.id)
    await house.read("policy.md", POLICY)
    other = await house.workbench.conversations.start("ada", "Another")
    assert [each.filename for each in await house.workbench.library.find("ada")] == ["policy.md"]
    assert [each.id for each in await house.workbench.library.attached("ada", thread.id)] == [document.id]
    assert await house.workbench.library.attached("bob", thread.id) == []
    for user, conversation in (("ada", None), ("ada", other.id), ("bob", thread.id)):
        assert "contract.md" not in await house.found(NOTICE, user, conversation)

    answer = await house.ask(NOTICE, conversation_id=thread.id)
    assert "ninety days" in answer.view.response.text
    assert next((each.number, each.filename) for each in answer.view.sources) == (1, "contract.md")
    assert answer.view.sources[0].attached
    elsewhere = await house.ask(NOTICE, conversation_id=other.id)
    assert "ninety" not in elsewhere.view.response.text


async def test_it_comes_first_and_whole_where_it_fits_and_in_passages_where_not(open_house: Open) -> None:
    house = await open_house(chunking=SMALL)
    thread = await house.workbench.conversations.start("ada", "Reservoirs")
    question = "How many cubic metres of water does reservoir 11 hold?"
    await house.read("library.md", long_text(12))
    small = await house.read("small.md", long_text(14), scope=thread.id)
    sources = (await house.ask(question, conversation_id=thread.id)).view.sources
    assert [each.filename for each in sources] == ["small.md", "library.md"]
    assert len(sources[0].passages) == small.chunks > len(sources[1].passages)

    house.workbench.settings.budget.retrieved = small.tokens - 1
    sources = (await house.ask(question, conversation_id=thread.id)).view.sources
    assert [each.filename for each in sources] == ["small.md", "library.md"]
    assert 0 < len(sources[0].passages) < small.chunks


async def test_a_named_document_keeps_the_attachment_out(house: House, thread: Conversation) -> None:
    await house.read("policy.md", POLICY)
    await house.read("mail.md", MAIL, scope=thread.id)
    answer = await house.ask(f'@"Travel policy" {HOTEL}', conversation_id=thread.id)
    assert {each.filename for each in answer.view.sources} == {"policy.md"}


async def test_actions_take_it(house: House, thread: Conversation) -> None:
    await house.read("policy.md", POLICY)
    await house.read("mail.md", MAIL, scope=thread.id)
    summary = await act(house, "summarize", "Summarize the attached file", thread)
    assert {each.filename for each in summary.view.sources} == {"mail.md"}
    audit = await act(house, "audit", 'Audit the attachment against @"Travel policy"', thread)
    assert audit.view.outcome == "answered"
    assert {each.filename for each in audit.view.sources} == {"policy.md"}
    assert "900" in audit.view.response.text
    compared = await act(house, "compare", 'Compare it with @"Travel policy"', thread)
    assert {each.filename for each in compared.view.sources} == {"mail.md", "policy.md"}


async def test_hebrew(house: House, thread: Conversation) -> None:
    await house.read("נוהל.md", HEBREW, scope=thread.id)
    answer = await house.ask("עד כמה מוחזרת לינה במלון בחיפה?", conversation_id=thread.id)
    assert "חמש מאות ושישים" in answer.view.response.text


async def test_a_question_waits_for_a_time_and_says_what_was_ready(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house()
    house.workbench.settings.deadlines.wait_at_most = 0.05
    thread = await house.workbench.conversations.start("ada", "Slow")
    await house.read("policy.md", POLICY)
    gate = asyncio.Event()

    async def stuck(*_: object, **__: object) -> None:
        await gate.wait()

    monkeypatch.setattr("core.library.reading.Readers.read_file", stuck)
    slow = (await house.give("slow.md", CONTRACT, scope=thread.id)).document
    answer = await house.ask(HOTEL, conversation_id=thread.id)
    assert "Answered from 1 of 2 documents" in answer.view.html()
    told = await act(house, "summarize", "Summarize the attached file", thread)
    assert "slow.md is still being read" in told.view.response.text
    other = await house.ask(HOTEL)
    assert other.view.partly is None, "somebody else's attachment is not waited for"
    gate.set()
    await house.entries("ada", slow.run_id or "")


async def test_publishing_moves_it_with_its_vectors_and_twice_changes_nothing(
    open_house: Open, embeddings: GatedEmbeddings
) -> None:
    house = await open_house(dense_enabled=True)
    thread = await house.workbench.conversations.start("ada", "Publishing")
    document = await house.read("contract.md", CONTRACT, scope=thread.id)
    vectors = await house.points("ada", document.id)
    assert all(vectors.values())
    assert await house.found("notice of a price rise", "ada", thread.id) == {"contract.md"}
    embeddings.broken = True
    for _ in range(2):
        published = await house.workbench.library.publish("ada", document.id)
        assert (published.status, published.document.id) == ("accepted", document.id)
        assert published.document.scope == LIBRARY
    assert await house.points("ada", document.id) == vectors
    await house.assert_whole(published.document)
    assert await house.workbench.library.attached("ada", thread.id) == []
    embeddings.broken = False
    assert await house.found("notice of a price rise") == {"contract.md"}
    assert [each.id for each in await house.workbench.library.find("ada")] == [document.id]


async def test_publishing_reports_twins_and_namesakes(house: House, thread: Conversation) -> None:
    library = house.workbench.library
    held = await house.read("policy.md", POLICY)
    same = await house.read("copy.md", POLICY, scope=thread.id)
    assert (await library.publish("ada", same.id)).status == "duplicate"
    other = await house.read("policy.md", MAIL, scope=thread.id)
    asked = await library.publish("ada", other.id)
    assert (asked.status, asked.document.id) == ("namesake", held.id)
    assert len(await library.attached("ada", thread.id)) == 2
    assert (await library.publish("ada", other.id, choice="replace")).status == "accepted"
    assert [each.id for each in await library.find("ada")] == [other.id]


async def test_only_its_owner_publishes_it_and_only_once_it_was_read(house: House, thread: Conversation) -> None:
    document = await house.read("contract.md", CONTRACT, scope=thread.id)
    with pytest.raises(PalimpsestError) as caught:
        await house.workbench.library.publish("bob", document.id)
    assert caught.value.problem.category == "not_found"
    broken = await house.read("broken.pdf", b"%PDF-1.4 nothing", scope=thread.id)
    with pytest.raises(PalimpsestError) as caught:
        await house.workbench.library.publish("ada", broken.id)
    assert caught.value.problem.category == "validation"


async def test_what_is_attached_goes_with_its_conversation_and_comes_back(house: House, thread: Conversation) -> None:
    library = house.workbench.library
    kept = await house.read("policy.md", POLICY)
    document = await house.read("contract.md", CONTRACT, scope=thread.id)
    assert await library.delete_scope("bob", thread.id) == []
    assert await library.delete_scope("ada", LIBRARY) == []
    gone = await library.delete_scope("ada", thread.id)
    assert gone == [document.id]
    assert await house.found(NOTICE, "ada", thread.id) == set()
    await library.undelete("ada", gone[0])
    assert await house.found(NOTICE, "ada", thread.id) == {"contract.md"}
    await library.delete_scope("ada", thread.id)
    assert await house.workbench.ledger.entries("ada", document.run_id or "")
    await library.upkeep.compact(-1)
    await house.assert_nothing_stored(document)
    assert not await house.workbench.ledger.entries("ada", document.run_id or ""), "what was told of its reading"
    assert await house.workbench.ledger.entries("ada", kept.run_id or "")
    jobs = await house.workbench.truth.collection("jobs").count_by("subject_id")
    assert set(jobs) == {kept.id}
    assert [each.id for each in await library.find("ada")] == [kept.id]
