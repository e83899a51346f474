"""Tests every read and change by another user: the reply is the same as if the object did not exist."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from core.errors import PalimpsestError
from core.library.records import Document
from core.runs.records import Conversation, Run
from tests.service.house import POLICY, Answer, House

QUESTION = "What is reimbursed for a night in a hotel in Haifa?"


@dataclass
class Ada:
    house: House
    document: Document
    item: str
    answer: Answer
    conversation: Conversation


@pytest.fixture
async def ada(house: House) -> Ada:
    document = await house.read("policy.md", POLICY)
    answer = await house.ask(QUESTION)
    item = answer.view.sources[0].passages[0].item_id
    return Ada(house, document, item, answer, answer.asked.conversation)


Attempt = Callable[[Ada, str], Awaitable[object]]

REFUSED: dict[str, Attempt] = {
    "library.get": lambda a, user: a.house.workbench.library.get(user, a.document.id),
    "library.chunks": lambda a, user: a.house.workbench.library.chunks(user, a.document.id),
    "library.surroundings": lambda a, user: a.house.workbench.library.surroundings(user, a.item),
    "library.cancel": lambda a, user: a.house.workbench.library.cancel(user, a.document.id),
    "library.retry": lambda a, user: a.house.workbench.library.retry(user, a.document.id),
    "library.delete": lambda a, user: a.house.workbench.library.delete(user, a.document.id),
    "library.undelete": lambda a, user: a.house.workbench.library.undelete(user, a.document.id),
    "ledger.get": lambda a, user: a.house.workbench.ledger.get(user, a.answer.asked.run_id),
    "ledger.tail": lambda a, user: anext(a.house.workbench.ledger.tail(user, a.answer.asked.run_id)),
    "workbench.cancel": lambda a, user: a.house.workbench.cancel(user, a.answer.asked.run_id),
    "workbench.ask": lambda a, user: a.house.workbench.ask(user, "More?", conversation_id=a.conversation.id),
    "conversations.get": lambda a, user: a.house.workbench.conversations.get(user, a.conversation.id),
    "conversations.delete": lambda a, user: a.house.workbench.conversations.delete(user, a.conversation.id),
    "files.open": lambda a, user: _open_file(a, user),
}
EMPTY: dict[str, Attempt] = {
    "library.find": lambda a, user: a.house.workbench.library.find(user),
    "library.busy": lambda a, user: a.house.workbench.library.busy(user),
    "ledger.entries": lambda a, user: a.house.workbench.ledger.entries(user, a.answer.asked.run_id),
    "ledger.entries of an ingestion": lambda a, user: a.house.workbench.ledger.entries(user, a.document.run_id or ""),
    "ledger.active": lambda a, user: a.house.workbench.ledger.active(user, a.conversation.id),
    "conversations.messages": lambda a, user: a.house.workbench.conversations.messages(user, a.conversation.id),
    "conversations.of_run": lambda a, user: a.house.workbench.conversations.of_run(user, a.answer.asked.run_id),
    "items.get": lambda a, user: a.house.workbench._items.get(user, a.item),
    "items.load": lambda a, user: a.house.workbench._items.load(user, [a.item]),
    "items.of_document": lambda a, user: a.house.workbench._items.of_document(user, a.document.id),
    "search": lambda a, user: a.house.found(QUESTION, user),
    "search in her conversation": lambda a, user: a.house.found(QUESTION, user, a.conversation.id),
}
UNTOUCHED: dict[str, Attempt] = {
    "ledger.forget": lambda a, user: a.house.workbench.ledger.forget(user, [a.answer.asked.run_id]),
    "ledger.request_cancel": lambda a, user: a.house.workbench.ledger.request_cancel(user, a.answer.asked.run_id),
    "items.bury_document": lambda a, user: a.house.workbench._items.bury_document(user, a.document.id),
    "items.remove_document": lambda a, user: a.house.workbench._items.remove_document(user, a.document.id),
    "files.delete": lambda a, user: a.house.workbench._files.delete(a.document.sha256, user, a.document.id),
}


async def _open_file(ada: Ada, user: str) -> None:
    async with ada.house.workbench._files.open(ada.document.sha256, user):
        pass


async def test_nobody_else_reads_or_changes_anything(ada: Ada) -> None:
    for name, attempt in REFUSED.items():
        with pytest.raises(PalimpsestError) as caught:
            await attempt(ada, "bob")
        assert caught.value.problem.category == "not_found", name
    for name, attempt in EMPTY.items():
        assert not await attempt(ada, "bob"), name
    for attempt in UNTOUCHED.values():
        await attempt(ada, "bob")
    await assert_all_is_there(ada)


async def assert_all_is_there(ada: Ada) -> None:
    await ada.house.assert_whole(await ada.house.workbench.library.get("ada", ada.document.id))
    assert await ada.house.found(QUESTION) == {"policy.md"}
    run = await ada.house.workbench.ledger.get("ada", ada.answer.asked.run_id)
    assert not run.cancel_requested
    assert (await ada.house.workbench.conversations.get("ada", ada.conversation.id)).title == ada.conversation.title
    assert len(ada.house.stored_files()) == 1
    for name, attempt in EMPTY.items():
        if name not in ("library.busy", "ledger.active"):
            assert await attempt(ada, "ada"), name


async def test_two_people_with_the_same_file_have_one_each(house: House) -> None:
    hers = await house.read("policy.md", POLICY, "ada")
    his = await house.read("policy.md", POLICY, "bob")
    assert hers.id != his.id
    await house.workbench.library.delete("bob", his.id)
    await house.workbench.library.upkeep.compact(-1)
    assert await house.found(QUESTION, "bob") == set()
    assert await house.found(QUESTION, "ada") == {"policy.md"}
    await house.assert_whole(hers)
    assert len(house.stored_files()) == 1


async def test_whose_question_is_slow_to_begin_holds_up_nobody_else(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, goes_on = house.workbench.ledger, asyncio.Event()
    start = ledger.start

    async def slow_for_ada(user_id: str, *given: Any, **named: Any) -> Run:
        if user_id == "ada":
            await goes_on.wait()
        return await start(user_id, *given, **named)

    monkeypatch.setattr(ledger, "start", slow_for_ada)
    slow = asyncio.create_task(house.workbench.ask("ada", QUESTION))
    asked = await asyncio.wait_for(house.workbench.ask("bob", QUESTION), 30)
    assert not slow.done()
    assert asked.run_id
    goes_on.set()
    assert (await slow).run_id
