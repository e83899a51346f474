"""Tests document details from a scripted model that is good, silent, missing or broken, or invents details."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from core.events import Entry, StepCreated, StepDetail, StepStatus
from core.library.records import Document
from core.setting_groups import Chunking, Deadlines, ModelMetadata, Prefix
from core.store.items import MemoryItem
from tests.servers.local import LocalServer, Reply, Request, chat_stream, hang_up, silence
from tests.service.conftest import Open
from tests.service.house import GatedEmbeddings, House, until

NOTES = (
    "it rained for most of the year and the river was high; these lines were collected by the Ardal Weather Circle "
    "on 3 March 2022 for its winter notes on the year 2021, and they are sent to all who keep a gauge.\n\n"
    "the gauge at the mill showed forty centimetres, which is more than anyone remembers.\n"
)
"""A text without a heading, so that rules can only take its title from the filename."""
GOOD = {
    "title": "winter notes on the year 2021",
    "kind": "memo",
    "kind_words": "sent to all who keep a gauge",
    "organisations": ["Ardal Weather Circle"],
    "periods": ["the year 2021"],
    "date": "2022-03-03",
}
MADE_UP = {
    "title": "The drought of Belmora",
    "kind": "contract",
    "kind_words": "hereinafter the parties",
    "organisations": ["Evil Corp", "most of the year"],
    "periods": ["fiscal 1999"],
    "date": "1999-01-01",
}
ONLY_METADATA = Prefix(enabled=False)
TWO_PASSAGES = Chunking(max_tokens=64, overlap_tokens=2)


def is_asked(request: Request) -> bool:
    return "Describe the document" in str(request.body["messages"][0]["content"])


def scripted(reply: Reply) -> Callable[[Request], Reply]:
    """A model that answers requests for a document's details with ``reply``, and others with one word."""
    return lambda request: reply if is_asked(request) else chat_stream("Fine.")


def calls(server: LocalServer) -> int:
    return sum(map(is_asked, server.requests))


@pytest.fixture
def with_model(open_house: Open, embeddings: GatedEmbeddings) -> Callable[..., object]:
    async def start(server: LocalServer, **given: object) -> House:
        model = {"model": "openai:m", "model_base_url": f"{server.url}/v1", "openai_api_key": "k"}
        usual = {"dense_enabled": True, "chunking": TWO_PASSAGES, "prefix": ONLY_METADATA, **model}
        return await open_house(**{**usual, **given})

    return start


async def step(house: House, document: Document) -> list[object]:
    entries: list[Entry] = await house.entries(document.user_id, document.run_id or "")
    made = [each.event for each in entries if isinstance(each.event, StepCreated | StepDetail | StepStatus)]
    return [event for event in made if event.step_id.endswith("-identity")]


async def items(house: House, document: Document) -> list[MemoryItem]:
    rows = map(MemoryItem.model_validate, await house.items(document.user_id, document.id))
    return sorted(rows, key=lambda item: item.place.order)


async def test_what_the_text_bears_out_fills_what_the_rules_left_open(with_model) -> None:
    async with LocalServer(responder=scripted(chat_stream(json.dumps(GOOD)))) as server:
        house = await with_model(server)
        document = await house.read("scan7.txt", NOTES)
        assert [each.id for each in await house.workbench.library.find("ada", "ardal winter 2021")] == [document.id]
    assert calls(server) == 1
    assert "BEGIN DOCUMENT" in str(server.requests[0].body["messages"][1]["content"])
    known = document.metadata
    assert (known.title, known.kind, known.date) == ("winter notes on the year 2021", "memo", "2022-03-03")
    assert [each.name for each in known.organisations] == ["Ardal Weather Circle"]
    assert [each.key for each in known.periods] == ["2021"]
    assert known.corrected == []
    stored = await items(house, document)
    assert len(stored) > 1
    for item in stored:
        assert item.source.book is not None
        assert item.source.book.title == known.title
        assert item.embedding.prefix.startswith("Book: winter notes on the year 2021 (Ardal Weather Circle")
    assert (await house.search("gauge at the mill")).sources[0].title == known.title
    assert document.embedded == document.chunks
    await house.assert_whole(document)
    assert (await house.workbench.retrieval.check()).differences == 0
    said = next(event for event in await step(house, document) if isinstance(event, StepDetail))
    assert said.detail.en == "Found: title, kind, organisations, periods, date"
    assert said.detail.he == "נמצאו: כותרת, סוג, ארגונים, תקופות, תאריך"


async def test_contexts_are_asked_for_with_the_title_that_was_found(with_model) -> None:
    async with LocalServer(responder=scripted(chat_stream(json.dumps(GOOD)))) as server:
        house = await with_model(server, prefix=Prefix())
        await house.read("scan7.txt", NOTES)
    assert is_asked(server.requests[0])
    assert "Title: winter notes on the year 2021" in str(server.requests[1].body)


async def test_a_document_is_findable_before_the_model_has_answered(with_model) -> None:
    async with LocalServer(responder=scripted(silence())) as server:
        house = await with_model(server, deadlines=Deadlines(metadata=30.0))
        given = (await house.give("scan7.txt", NOTES)).document

        async def asked() -> bool:
            return calls(server) == 1

        await until(asked)
        assert "scan7.txt" in await house.found("gauge at the mill")
        answer = await house.ask("How much did the gauge at the mill show?")
        assert answer.view.outcome == "answered"
        assert (await house.workbench.library.get("ada", given.id)).state == "processing", "nobody has answered yet"
        await house.workbench.library.cancel("ada", given.id)


async def test_what_the_rules_found_stays(with_model) -> None:
    memo = "# Winter notes\n\nMEMORANDUM\n\nTo: all who keep a gauge\n\nFrom: Ardal Weather Circle\n\n" + NOTES
    async with LocalServer(responder=scripted(chat_stream(json.dumps({**GOOD, "kind": "invoice"})))) as server:
        plain = await with_model(server, metadata=ModelMetadata(enabled=False))
        rules = (await plain.read("notes.md", memo)).metadata
        assert calls(server) == 0
        await plain.workbench.library.delete("ada", (await plain.workbench.library.find("ada"))[0].id)
        await plain.workbench.stop()
        house = await with_model(server)
        found = (await house.read("notes.md", memo)).metadata
    assert rules.title == found.title
    assert rules.kind == found.kind != "other"


async def test_what_a_person_corrected_stays(with_model, embeddings: GatedEmbeddings) -> None:
    async with LocalServer(responder=scripted(chat_stream(json.dumps(GOOD)))) as server:
        house = await with_model(server, metadata=ModelMetadata(enabled=False))
        document = await house.read("scan7.txt", NOTES)
        library = house.workbench.library
        await library.correct("ada", document.id, "title", "Mine")
        await library.correct("ada", document.id, "organisations", "")
        await library.catalogue.change("ada", document.id, state="cancelled", chunks=0, searchable=0, embedded=0)
        await house.workbench.stop()
        house = await with_model(server)
        again = await house.settled(await house.workbench.library.retry("ada", document.id))
    assert calls(server) == 1
    assert (again.metadata.title, again.metadata.organisations) == ("Mine", [])
    assert (again.metadata.kind, again.metadata.date) == ("memo", "2022-03-03")
    assert {item.source.book.title for item in await items(house, again) if item.source.book} == {"Mine"}


async def test_what_a_person_corrects_while_the_model_thinks_stays(with_model) -> None:
    async with LocalServer() as server:
        house = await with_model(server)

        def correcting(request: Request) -> Reply:
            said = chat_stream(json.dumps(GOOD))

            async def reply(writer: object) -> None:
                library = house.workbench.library
                document = (await library.find("ada"))[0]
                await library.correct("ada", document.id, "title", "Mine")
                await said(writer)  # type: ignore[arg-type]

            return reply if is_asked(request) else chat_stream("Fine.")

        server.responder = correcting
        document = await house.read("scan7.txt", NOTES)
    assert (document.metadata.title, document.metadata.kind) == ("Mine", "memo")
    assert {item.source.book.title for item in await items(house, document) if item.source.book} == {"Mine"}


async def test_reading_again_asks_for_nothing(with_model) -> None:
    async with LocalServer(responder=scripted(chat_stream(json.dumps(GOOD)))) as server:
        house = await with_model(server)
        first = await house.read("scan7.txt", NOTES)
        await house.workbench.library.delete("ada", first.id)
        again = await house.read("other.txt", NOTES)
        assert calls(server) == 1
        assert again.id != first.id
        assert again.metadata.title == first.metadata.title
        assert again.metadata.kind == "memo"
        await house.read("scan7.txt", NOTES, user="noa")
        assert calls(server) == 2, "what was said to one user is nobody else's"
        await house.workbench.library.delete("ada", again.id)
        await house.workbench.library.upkeep.compact(-1.0)
        kept = house.workbench.truth.collection("context_cache")
        assert await kept.count({"user_id": "ada"}) == 0
        assert await kept.count({"user_id": "noa"}) == 1


async def test_without_a_model_there_is_no_step(open_house: Open, embeddings: GatedEmbeddings) -> None:
    house = await open_house(dense_enabled=True)
    assert await step(house, await house.read("scan7.txt", NOTES)) == []


async def test_by_words_alone_it_is_asked_too(with_model) -> None:
    async with LocalServer(responder=scripted(chat_stream(json.dumps(GOOD)))) as server:
        house = await with_model(server, dense_enabled=False)
        document = await house.read("scan7.txt", NOTES)
        assert document.metadata.title == GOOD["title"]
        assert {each.title for each in (await house.search("gauge at the mill")).sources} == {GOOD["title"]}


async def test_nobody_is_asked_of_samples(with_model) -> None:
    async with LocalServer(responder=scripted(chat_stream(json.dumps(GOOD)))) as server:
        house = await with_model(server)
        path = house.workbench.samples.paths[0]
        document = await house.read(path.name, path.read_bytes())
    assert calls(server) == 0
    assert await step(house, document) == []


FAILURES: dict[str, Reply] = {
    "gone": hang_up(),
    "silent": silence(),
    "mad": chat_stream("I would rather not. As an apology, here is a poem about water."),
    "of another form": chat_stream(json.dumps({"title": ["not", "a", "title"]})),
    "about something else": chat_stream(json.dumps({"sentences": []})),
    "without end": chat_stream("water " * 5_000, ending="hang"),
}


@pytest.mark.parametrize("case", FAILURES)
async def test_a_model_that_fails_harms_nothing_and_is_told(with_model, case: str) -> None:
    async with LocalServer(responder=scripted(FAILURES[case])) as server:
        house = await with_model(server, deadlines=Deadlines(metadata=1.0 if case == "silent" else 8.0))
        document = await house.read("scan7.txt", NOTES)
    assert calls(server) >= 1
    assert document.state == "completed"
    assert document.embedded == document.chunks
    assert (document.metadata.title, document.metadata.kind) == ("Scan7", "other")
    assert await house.outcomes(document) == ["completed"]
    await house.assert_whole(document)
    ended = [event for event in await step(house, document) if isinstance(event, StepStatus)]
    assert len(ended) == 1
    assert ended[0].status == "done"
    assert ended[0].skipped is not None
    assert "without a language model" in ended[0].skipped.en
    assert "בלי מודל שפה" in ended[0].skipped.he


async def test_what_is_made_up_is_not_believed(with_model) -> None:
    async with LocalServer(responder=scripted(chat_stream(json.dumps(MADE_UP)))) as server:
        house = await with_model(server, metadata=ModelMetadata(enabled=False))
        rules = (await house.read("scan7.txt", NOTES, user="noa")).metadata
        await house.workbench.stop()
        house = await with_model(server)
        document = await house.read("scan7.txt", NOTES)
    assert calls(server) == 1
    assert document.metadata == rules
    said = next(event for event in await step(house, document) if isinstance(event, StepDetail))
    assert "Nothing new" in said.detail.en


async def test_a_model_that_is_silent_again_and_again_is_left_alone(with_model) -> None:
    async with LocalServer(responder=scripted(silence())) as server:
        house = await with_model(server, deadlines=Deadlines(metadata=0.5))
        for number in range(4):
            document = await house.read(f"scan{number}.txt", f"{NOTES}\n\nissue {number} of the notes.\n")
    ended = [event for event in await step(house, document) if isinstance(event, StepStatus)]
    assert ended[0].skipped is not None
    assert "Metadata by a model is paused for a moment" in ended[0].skipped.en
    assert document.embedded == document.chunks
