"""Tests sharing documents with a group: who can read them at every interface, who cannot, and when access ends."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from mcp import MCPError

from core.accounts.records import Role
from core.errors import PalimpsestError
from core.figures.stored.records import FigureQuery
from core.ids import record_id
from core.library.group_sharing import passages_follow
from core.library.records import Document
from core.store.index import Where
from core.store.truth import Change
from pages.actions import OneDocument
from pages.handlers.books import BookShelf, Found
from pages.handlers.library import Shelf
from tests.mongodb import SERVER, running_mongodb
from tests.service.calling import Endpoints, Someone
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY, GatedEmbeddings, House
from tests.service.programs import data, program

QUESTION = "What is reimbursed for a night in a hotel in Haifa?"
RATES = "# Rates\n\n| City | Rate |\n|---|---|\n| Haifa | 560 |\n| Eilat | 640 |\n"
OWN = "# Notes\n\nThe gate of the office opens at eight.\n"
PEOPLE: tuple[tuple[str, Role, str], ...] = (
    ("ada", "person", "Office"),
    ("bob", "person", "Office"),
    ("carol", "person", "Archive"),
    ("dan", "administrator", ""),
)
"""The owner, a member of her group, a user of another group, and an administrator, who is in none."""


@dataclass
class Shared:
    """Two documents and a set of Ada's, before she shares them."""

    house: House
    policy: Document
    rates: Document
    set_id: str
    item: str

    async def share(self) -> None:
        await self.house.workbench.sharing.share_set("ada", self.set_id)

    async def take_back(self) -> None:
        await self.house.workbench.sharing.take_back_set("ada", self.set_id)


@pytest.fixture(params=["sqlite", "mongodb"])
async def shared(request: pytest.FixtureRequest, open_house: Open, tmp_path: Path) -> AsyncIterator[Shared]:
    if request.param == "sqlite":
        yield await _with_documents(await open_house())
        return
    if not SERVER.exists() and not sys.platform.startswith("linux"):
        pytest.skip("the test server for MongoDB is packaged for Linux alone")
    folder = tmp_path / "mongodb"
    folder.mkdir()
    with running_mongodb(folder) as uri:
        house = await open_house(mongodb_uri=uri)
        yield await _with_documents(house)
        await house.workbench.stop()


async def _with_documents(house: House) -> Shared:
    accounts = house.workbench.accounts
    for name, role, group in PEOPLE:
        await accounts.create(name, "analytical engine", role)
        await accounts.give_group(name, group)
        await house.read(f"notes-{name}.md", OWN.replace("eight", f"eight for {name}"), name)
    policy, rates = await house.read("policy.md", POLICY), await house.read("rates.md", RATES)
    made = await house.workbench.sets.create("ada", "Travel", [policy.id, rates.id])
    items = await house.workbench.library.chunks("ada", policy.id)
    return Shared(house, policy, rates, made.id, next(each.id for each in items if "Haifa" in each.text))


Door = Callable[[Shared, str], Awaitable[bool]]


async def _tables(s: Shared, user: str) -> bool:
    return bool(await s.house.workbench.library.tables(user, s.rates.id))


async def _figures(s: Shared, user: str) -> bool:
    found = await s.house.workbench.figures.find(user, FigureQuery(measure="Haifa"))
    assert bool(found) == bool(await s.house.workbench.figures.of_document(user, s.rates.id))
    return bool(found)


async def _original(s: Shared, user: str) -> bool:
    async with s.house.workbench.viewer.original(user, s.policy.id) as (_, path):
        return "560 shekels" in path.read_text()


async def _reading(s: Shared, user: str) -> bool:
    return "560 shekels" in await s.house.workbench.viewer.reading(user, s.policy.id)


async def _view(s: Shared, user: str) -> bool:
    view = await s.house.workbench.viewer.view(user, s.policy.id)
    place = await s.house.workbench.viewer.place(user, s.policy.id, item_id=s.item)
    found = await s.house.workbench.viewer.search(user, s.policy.id, "hotel")
    return bool(view.title and place.passage and found.total)


async def _surroundings(s: Shared, user: str) -> bool:
    found = await s.house.workbench.library.surroundings(user, s.item)
    return "560" in found.item.text and bool(found.before or found.after)


async def _listed(s: Shared, user: str) -> bool:
    return "policy.md" in {each.filename for each in await s.house.workbench.library.find(user)}


async def _words(s: Shared, user: str) -> bool:
    found = await s.house.workbench.retrieval.text.find(user, "reimbursed Haifa")
    return s.policy.id in {each.document_id for each in found}


async def _without_index(s: Shared, user: str) -> bool:
    """Returns whether the user finds the document when the index fails and the record store itself is searched: by
    keyword and by a question."""
    retrieval, lexical = s.house.workbench.retrieval, s.house.workbench.retrieval.index.query_lexical

    async def away(*_: object, **__: object) -> None:
        raise ConnectionError("the index is gone")

    retrieval.index.query_lexical = away  # type: ignore[assignment]
    try:
        by_words = await _words(s, user)
        assert by_words == ("policy.md" in await s.house.found(QUESTION, user))
        return by_words
    finally:
        retrieval.index.query_lexical = lexical  # type: ignore[method-assign]
        retrieval.dependencies.lexical.breaker.succeeded()


async def _asked(s: Shared, user: str) -> bool:
    answer = await s.house.ask(QUESTION, user)
    shown = "560 shekels" in answer.view.html()
    assert shown == ("policy.md" in {each.filename for each in answer.view.sources})
    return shown


async def _summarized(s: Shared, user: str) -> bool:
    answer = await s.house.ask('Summarize @"Travel policy"', user, action="summarize")
    return bool(re.search(r"\b560\b", answer.view.html()))


async def _compared(s: Shared, user: str) -> bool:
    answer = await s.house.ask(f'Compare @"Travel policy" and @"notes-{user}"', user, action="compare")
    return "560 shekels" in answer.view.html()


async def _audited(s: Shared, user: str) -> bool:
    asked = await s.house.ask('Audit this against @"Travel policy"', user, action="audit")
    if not asked.view.pending:
        return False
    answer = await s.house.reply(asked, text="A night in a hotel in Haifa costs us 900 shekels every time.", user=user)
    return "policy.md" in {each.filename for each in answer.view.sources}


async def _sets(s: Shared, user: str) -> bool:
    return any(set(each.document_ids) == {s.policy.id, s.rates.id} for each in await s.house.workbench.sets.all(user))


async def _mentioned(s: Shared, user: str) -> bool:
    found = await s.house.workbench.mentions.starting(user, "travel", None)
    return {each.title for each in found} == {"Travel", "Travel policy"}


async def _program(s: Shared, user: str) -> bool:
    """Returns whether the user can read the document through MCP's tools and resources."""
    async with program(s.house, user) as client:
        listed = data(await client.call_tool("list_documents", {}))["documents"]
        found = "560" in str(data(await client.call_tool("search", {"query": QUESTION})))
        assert found == ("policy.md" in {each["filename"] for each in listed})
        try:
            text = await client.read_resource(f"palimpsest://documents/{s.policy.id}")
        except MCPError:
            return found
        assert "560 shekels" in str(text.contents)
        return found


async def _findings(s: Shared, user: str) -> bool:
    await s.house.workbench.books.findings(user, s.policy.id)
    return True


async def _item(s: Shared, user: str) -> bool:
    return bool(await s.house.workbench._items.load(user, [s.item]))


DOORS: dict[str, Door] = {
    "list": _listed,
    "get": lambda s, user: _there(s.house.workbench.library.get(user, s.policy.id)),
    "passages": lambda s, user: _there(s.house.workbench.library.chunks(user, s.policy.id)),
    "outline": lambda s, user: _there(s.house.workbench.library.outline(user, s.policy.id)),
    "tables": _tables,
    "figures": _figures,
    "view": _view,
    "reading": _reading,
    "download": _original,
    "around a passage": _surroundings,
    "items": _item,
    "findings": _findings,
    "words": _words,
    "words without an index": _without_index,
    "a question": _asked,
    "a summary": _summarized,
    "a comparison": _compared,
    "an audit": _audited,
    "sets": _sets,
    "mentions": _mentioned,
    "programs": _program,
}


async def _there(reading: Awaitable[object]) -> bool:
    return bool(await reading)


async def opened(shared: Shared, user: str) -> set[str]:
    """Returns the interfaces at which a user can read Ada's data."""
    found = set()
    for name, door in DOORS.items():
        try:
            if await door(shared, user):
                found.add(name)
        except PalimpsestError as error:
            if error.problem.category != "not_found":
                raise
    return found


async def test_every_door_before_and_while_and_after(shared: Shared) -> None:
    everyone = set(DOORS)
    assert await opened(shared, "ada") == everyone
    assert await opened(shared, "bob") == set()
    await shared.share()
    assert await opened(shared, "ada") == everyone
    assert await opened(shared, "bob") == everyone
    for other in ("carol", "dan", "eve"):
        assert await opened(shared, other) == set(), other
    await shared.house.workbench.accounts.give_group("bob", "Archive")
    assert await opened(shared, "bob") == set()
    await shared.house.workbench.accounts.give_group("bob", "Office")
    assert await opened(shared, "bob") == everyone
    await shared.take_back()
    assert await opened(shared, "bob") == set()
    assert await opened(shared, "ada") == everyone


async def test_members_read_and_change_nothing(house: House) -> None:
    shared = await _with_documents(house)
    await shared.share()
    bench, policy, set_id = house.workbench, shared.policy.id, shared.set_id
    changes: dict[str, Awaitable[object]] = {
        "rename": bench.library.correct("bob", policy, "title", "Mine"),
        "delete": bench.library.delete("bob", policy),
        "retry": bench.library.retry("bob", policy),
        "cancel": bench.library.cancel("bob", policy),
        "share": bench.sharing.share("bob", policy),
        "take back": bench.sharing.take_back("bob", policy),
        "read out": bench.books.begin("bob", policy),
    }
    for name, change in changes.items():
        with pytest.raises(PalimpsestError) as caught:
            await change
        assert caught.value.problem.what.en == "Only its owner can change this document.", name
    for change in (
        bench.library.undelete("bob", policy),
        bench.sets.rename("bob", set_id, "Mine"),
        bench.sets.fill("bob", set_id, remove=[policy]),
        bench.sets.delete("bob", set_id),
        bench.sharing.take_back_set("bob", set_id),
    ):
        with pytest.raises(PalimpsestError) as caught:
            await change
        assert caught.value.problem.category == "not_found"
    again = await bench._library.rereading.reread("bob", policy, QUESTION)
    assert again.items == []
    await house.assert_whole(await bench.library.get("ada", policy))
    assert await _sets(shared, "bob")


async def test_a_file_that_is_shared_may_be_one_s_own_too(house: House) -> None:
    shared = await _with_documents(house)
    await shared.share()
    own = await house.give("policy.md", POLICY, "bob")
    assert own.status == "accepted"
    await house.settled(own.document)
    assert {each.user_id for each in (await house.workbench.library.find("bob", "policy"))} == {"ada", "bob"}


async def test_whoever_leaves_takes_along_what_they_shared(house: House) -> None:
    shared = await _with_documents(house)
    await shared.share()
    await house.workbench.accounts.give_group("ada", "Archive")
    assert await opened(shared, "bob") == set()
    await house.workbench.accounts.give_group("ada", "Office")
    assert await opened(shared, "bob") == set()
    rows = [*await house.items("ada", shared.policy.id), *await house.items("ada", shared.rates.id)]
    assert {(row["org_id"], row["synced"]) for row in rows} == {(None, True)}


async def test_who_is_in_no_group_shares_with_nobody(house: House) -> None:
    document = await house.read("policy.md", POLICY, "eve")
    with pytest.raises(PalimpsestError) as caught:
        await house.workbench.sharing.share("eve", document.id)
    assert caught.value.problem.what.en == "You have no group to share this with."


async def test_what_a_conversation_holds_is_not_shared(house: House) -> None:
    await _with_documents(house)
    thread = (await house.ask("What is the policy on taxis?")).asked.conversation.id
    attached = await house.read("memo.md", CONTRACT, scope=thread)
    with pytest.raises(PalimpsestError):
        await house.workbench.sharing.share("ada", attached.id)
    assert await house.found("When must Pelagit give notice of a price rise?", "bob") == set()


async def test_passages_that_are_added_later_follow_their_document(house: House) -> None:
    shared = await _with_documents(house)
    await shared.share()
    bench = house.workbench
    item = (await bench.library.chunks("ada", shared.policy.id))[0]
    late = item.model_copy(update={"id": "mem_" + "7" * 32, "text": "A taxi in Eilat costs 41 zuzim.", "org_id": None})
    await bench._items.add("ada", [late])
    assert "policy.md" not in await house.found("What does a taxi in Eilat cost?", "bob")
    await passages_follow(bench._catalogue, bench._items, "ada", shared.policy.id)
    assert "policy.md" in await house.found("What does a taxi in Eilat cost?", "bob")
    await shared.take_back()
    assert await house.found("What does a taxi in Eilat cost?", "bob") == set()


async def test_it_is_found_by_meaning_too(open_house: Open, embeddings: GatedEmbeddings) -> None:
    shared = await _with_documents(await open_house(dense_enabled=True))
    index, house = shared.house.workbench.retrieval.index, shared.house

    async def dense(user: str) -> bool:
        query = await embeddings.embed_query("A night in a hotel in Haifa is reimbursed")
        where = Where(user, {"tier": ["books"]}, org_id=house.workbench.accounts.group_of(user))
        hits = await index.query_dense(query, where, 50)
        return shared.item in {record_id("mem", hit.id) for hit in hits}

    for user, seen in (("ada", True), ("bob", False)):
        assert await dense(user) == seen
    await shared.share()
    for user, seen in (("ada", True), ("bob", True), ("carol", False), ("dan", False), ("eve", False)):
        assert await dense(user) == seen, user
        assert ("policy.md" in await house.found(QUESTION, user)) == seen
    await shared.take_back()
    assert not await dense("bob")


async def test_what_was_found_before_is_not_shown_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """If neither kind of search works, cached results of the same question are used. They are read from the record
    store, which checks access again."""
    shared = await _with_documents(house)
    await shared.share()
    assert "policy.md" in await house.found(QUESTION, "bob")

    async def away(*_: object, **__: object) -> None:
        raise ConnectionError("nothing answers")

    monkeypatch.setattr(house.workbench.retrieval.index, "query_lexical", away)
    monkeypatch.setattr(house.workbench.retrieval.pipeline._current._lanes, "_fallback", away)
    assert [each.filename for each in (await house.search(QUESTION, "bob")).sources] == ["policy.md"]
    await shared.take_back()
    assert (await house.search(QUESTION, "bob")).sources == []


async def test_endpoints_say_whose_it_is_and_with_whom_it_is_shared(house: House) -> None:
    shared = await _with_documents(house)
    ada, bob = Endpoints(house, "ada"), Endpoints(house, "bob")

    async def told(endpoints: Endpoints) -> tuple[set[tuple[object, object]], set[tuple[object, object]]]:
        documents = [each for each in await endpoints.list_documents() if each["filename"] == "policy.md"]
        sets = (await endpoints.list_sets())["sets"]
        return {(each["owner"], each["group"]) for each in documents}, {(each["owner"], each["group"]) for each in sets}

    assert await told(ada) == ({(None, None)}, {(None, None)})
    await ada.share_document(shared.policy.id)
    assert await told(ada) == ({(None, "Office")}, {(None, None)})
    assert await told(bob) == ({("ada", "Office")}, set())
    await ada.share_set(shared.set_id)
    assert await told(bob) == ({("ada", "Office")}, {("ada", "Office")})
    await ada.take_back_document(shared.policy.id)
    assert await told(bob) == (set(), {("ada", "Office")})
    await ada.take_back_set(shared.set_id)
    assert await told(bob) == (set(), set())


async def test_the_detail_of_a_shared_document_offers_no_changes(house: House) -> None:
    shared = await _with_documents(house)
    await shared.share()
    shelf, books = (kind(house.workbench, Someone("ada")) for kind in (Shelf, BookShelf))
    for user, edits in (("ada", True), ("bob", False)):
        html = (await shelf.document_detail(user, OneDocument(id=shared.policy.id)))["html"]
        found = (await books.findings(user, Found(id=shared.policy.id)))["html"]
        assert ('class="edit"' in html) == edits
        assert ("Shared with your group by ada" in html) != edits
        assert ("<button" in found) == edits


async def test_a_backup_restores_what_was_shared_as_its_owner_s_alone(house: House, tmp_path: Path) -> None:
    shared = await _with_documents(house)
    await shared.share()
    memory, kept = house.workbench.memory, tmp_path / "kept.zip"
    await memory.export_backup("ada", kept)
    await house.workbench.library.delete("ada", shared.policy.id)
    await house.workbench.library.upkeep.compact(-1)
    await memory.import_backup("ada", kept)
    assert "policy.md" in await house.found(QUESTION, "ada")
    assert await house.found(QUESTION, "bob") == set()
    assert (await house.workbench.library.get("ada", shared.policy.id)).org_id is None


async def test_a_newer_record_from_a_backup_takes_its_passages_along(house: House, tmp_path: Path) -> None:
    shared = await _with_documents(house)
    memory, kept, workbench = house.workbench.memory, tmp_path / "kept.zip", house.workbench
    await memory.export_backup("ada", kept)
    await shared.share()
    older = Change(set={"updated_at": 0.0, "version": 0})
    await workbench.truth.collection("documents").update_where({"_id": shared.policy.id}, older)
    assert "policy.md" in await house.found(QUESTION, "bob")
    await memory.import_backup("ada", kept)
    assert (await workbench.library.get("ada", shared.policy.id)).org_id is None
    assert await house.found(QUESTION, "bob") == set()
    assert "policy.md" in await house.found(QUESTION, "ada")
