from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import PalimpsestError, fail
from core.events import Event, StepCreated, StepStatus
from core.library import storing
from core.library.chunking.chunks import Chunk
from core.library.intake.uploads import upload_folder
from core.library.reading import Readers
from core.library.records import Document
from core.library.samples import FOLDER, load_samples
from core.runs.jobs import Job, JobQueue
from core.setting_groups import Deadlines, Jobs
from core.store.items import LIBRARY, MemoryItem
from core.store.truth import Change
from pages.actions import Actions
from pages.auth import LOCAL, Identity
from pages.gradio_doors import functions
from pages.handlers.library import Shelf
from tests.people import Named
from tests.service.conftest import Open
from tests.service.house import CONTRACT, HEBREW, POLICY, SMALL, GatedEmbeddings, House, long_text, until

OTHERS = {
    "rates.csv": "city,limit\nHaifa,560\nEilat,720\n",
    "note.txt": "The reservoir at Hadar was inspected in March.",
    "letter.rtf": r"{\rtf1\ansi The pump station needs a new valve.}",
}


@pytest.mark.reader
async def test_every_format_becomes_ready_and_both_copies_agree(open_house: Open, embeddings: GatedEmbeddings) -> None:
    house = await open_house(dense_enabled=True)
    for path in load_samples().paths:
        await house.give(path.name, path.read_bytes())
    for name, text in OTHERS.items():
        await house.give(name, text)
    documents = [await house.settled(document) for document in await house.workbench.library.find("ada")]

    assert {document.filename for document in documents} == {path.name for path in load_samples().paths} | set(OTHERS)
    for document in documents:
        assert document.state == "completed", document.problem
        assert document.problem is None
        assert document.embedded == document.chunks
        assert await house.outcomes(document) == ["completed"]
        await house.assert_whole(document)
        assert document.mime
        assert document.tokens > 0
        assert document.metadata.title
    by_name = {document.filename: document for document in documents}
    titles = {file.file: file.title for file in load_samples().files}
    assert all(by_name[name].metadata.title.startswith(title) for name, title in titles.items())
    assert by_name["meter-storage-memo-2025.docx"].metadata.language == "he"
    assert by_name["meter-storage-memo-2025.docx"].metadata.keywords_he
    assert by_name["pelagit-metering-contract.pdf"].pages
    assert "letter.rtf" in await house.found("the pump station needs a new valve")
    digests = {each.digest for each in await house.workbench.datasets.known("ada")}
    assert digests
    assert {path.parent.name for path in house.stored_files()} == {each.sha256 for each in documents} | digests


async def test_of_several_files_that_are_given_together_one_that_fails_keeps_back_no_other(open_house: Open) -> None:
    workbench = (await open_house()).workbench
    settings, identity = workbench.settings, Identity(workbench.settings, Named())
    doors = functions(Actions(identity, [Shelf(workbench, identity)]), "library")
    for_each = next(door for door in doors if door.__name__ == "for_each")

    async def replies(action: str, *each: object) -> Any:
        return await for_each({"action": action, "each": list(each)}, SimpleNamespace(cookies={}, headers={}))

    def sent(name: str, text: str) -> dict[str, str]:
        return {"path": str(workbench.uploads.written(LOCAL, name, text.encode())), "name": name}

    files = [sent("a.txt", "The first note."), sent("empty.txt", ""), sent("b.txt", "The second note.")]
    gone = {"path": "nowhere", "name": "c.txt"}
    told = (await replies("submit", *files, gone, sent("d.txt", "The first note.")))["replies"]
    assert [each.get("status") for each in told] == ["accepted", None, "accepted", None, "duplicate"]
    assert "empty.txt" in told[1]["problem"]["what"]
    assert [each for each in upload_folder(settings).rglob("*") if each.is_file()] == []
    there = await workbench.library.find(LOCAL)
    assert {each.filename for each in there} == {"a.txt", "b.txt"}

    removed = (await replies("remove", *({"id": each.id} for each in there), {"id": "doc_unknown"}))["replies"]
    assert [set(each) for each in removed] == [{"deleted"}, {"deleted"}, {"problem"}]
    assert await workbench.library.find(LOCAL) == []
    for action, each in (("documents", {}), ("submit", "no file")):
        assert "problem" in await replies(action, each), "not one that is done several times, and nothing to do"


@pytest.mark.parametrize("bare", [{0}, set(range(99))], ids=["one", "all"])
async def test_what_wants_no_vector_leaves_nothing_unfinished(
    bare: set[int], open_house: Open, embeddings: GatedEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = storing.items_of

    def of_roles(document: Document, chunks: list[Chunk], now: float) -> list[MemoryItem]:
        roles = [
            chunk.model_copy(update={"role": "contents"}) if at in bare else chunk for at, chunk in enumerate(chunks)
        ]
        return made(document, roles, now)

    monkeypatch.setattr(storing, "items_of", of_roles)
    house = await open_house(dense_enabled=True, chunking=SMALL)
    document = await house.read("long.md", long_text(3))
    document = await house.settled(document)
    assert document.embedded == document.chunks > 1
    assert await house.outcomes(document) == ["completed"]
    await house.assert_whole(document)
    rows = await house.items("ada", document.id)
    assert sum(bool(row["embedded"]) for row in rows) == max(0, document.chunks - len(bare))
    report = await house.workbench.retrieval.check()
    assert report.differences == 0
    assert await house.workbench.library.catalogue.unfinished(1e12) == []


async def test_a_document_that_has_all_its_vectors_is_not_read_at_each_round(
    open_house: Open, embeddings: GatedEmbeddings
) -> None:
    house = await open_house(dense_enabled=True)
    document = await house.settled(await house.read("policy.md", POLICY))
    rows, catalogue = house.workbench.truth.collection("documents"), house.workbench.library.catalogue
    assert await catalogue.unfinished(1e12) == []
    assert [row["has_all_vectors"] for row in await rows.find()] == [True]
    await catalogue.change("ada", document.id, chunks=document.chunks + 1)
    assert [each.id for each in await catalogue.unfinished(1e12)] == [document.id]
    await catalogue.change("ada", document.id, embedded=document.chunks + 1)
    assert await catalogue.unfinished(1e12) == []
    assert [row["has_all_vectors"] for row in await rows.find()] == [True]
    await rows.update(document.id, Change(unset=["has_all_vectors"]))
    assert await catalogue.unfinished(1e12) == [], "one of an older version is compared once"
    assert [row["has_all_vectors"] for row in await rows.find()] == [True]


async def test_the_same_bytes_are_kept_once(house: House) -> None:
    first = await house.read("policy.md", POLICY)
    again = await house.give("other name.md", POLICY)
    assert (again.status, again.document.id) == ("duplicate", first.id)
    assert [document.id for document in await house.workbench.library.find("ada")] == [first.id]
    assert len(house.stored_files()) == 1
    assert list(house.folder.iterdir()) == []


async def test_the_same_bytes_at_once_are_kept_once(house: House) -> None:
    given = await asyncio.gather(*(house.give("policy.md", POLICY) for _ in range(5)))
    assert sorted(each.status for each in given) == ["accepted", "duplicate", "duplicate", "duplicate", "duplicate"]


async def test_a_file_is_read_though_the_reply_was_lost_that_says_who_has_it_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = house.workbench.library.catalogue
    assign = catalogue.assign

    async def twice(document: Document, job_id: str, **fields: Any) -> Document | None:
        await assign(document, job_id, **fields)
        return await assign(document, job_id, **fields)

    monkeypatch.setattr(catalogue, "assign", twice)
    document = await house.settled((await house.give("policy.md", POLICY)).document)
    assert document.state == "completed"
    assert await house.outcomes(document) == ["completed"]


async def test_what_reading_has_said_stands_before_its_run_is_handed_over(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house(jobs=Jobs(event_interval=3600.0))
    ledger, submit, there = house.workbench.ledger, JobQueue.submit, list[Event]()

    async def seen(queue: JobQueue, user_id: str, subject_id: str, run_id: str, *given: Any, **named: Any) -> Job:
        if queue.kind == "embedding":
            there.extend([each.event for each in await ledger.entries(user_id, run_id)])
        return await submit(queue, user_id, subject_id, run_id, *given, **named)

    monkeypatch.setattr(JobQueue, "submit", seen)
    await house.settled(await house.read("policy.md", POLICY))
    begun = [each.step_id for each in there if isinstance(each, StepCreated)]
    assert [each.step_id for each in there if isinstance(each, StepStatus)] == begun
    assert begun[-1].endswith("indexing")


@pytest.mark.parametrize("before", ["files.put", "reading.submit"], ids=["kept the file", "told a reader of it"])
async def test_what_a_process_left_before_it_had_done_all_is_read_when_it_is_given_again(
    before: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dies(*_: object, **__: object) -> None:
        raise asyncio.CancelledError

    part, _, step = before.partition(".")
    with monkeypatch.context() as patch:
        patch.setattr(getattr(house.workbench.library, part), step, dies)
        with pytest.raises(asyncio.CancelledError):
            await house.give("policy.md", POLICY)
    again = await house.give("policy.md", POLICY)
    assert again.status == "duplicate"
    read = await house.settled(again.document)
    assert read.state == "completed"
    assert [each.id for each in await house.workbench.library.find("ada")] == [read.id]
    await house.assert_whole(read)


async def test_a_file_that_another_process_has_taken_over_is_not_taken_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = house.workbench.library
    put = library.files.put

    async def fail_late(path: Path, user_id: str, document_id: str) -> None:
        await put(path, user_id, document_id)
        taken_over = await library.catalogue.get(user_id, document_id)
        await library.begin(library.reading, taken_over, "pending")
        raise ConnectionError("woken after another was faster")

    with monkeypatch.context() as patch:
        patch.setattr(library.files, "put", fail_late)
        with pytest.raises(ConnectionError):
            await house.give("policy.md", POLICY)
    (document,) = await library.find("ada")
    assert (await house.settled(document)).state == "completed"


@pytest.mark.parametrize(
    "unanswered",
    [
        fail("connection", "store.index_rules.unreachable", detail="nobody answers"),
        fail("timeout", "resilience.too_slow", detail="silent", name="MongoDB", seconds=5),
    ],
    ids=["away", "silent"],
)
async def test_a_store_that_is_away_for_a_moment_fails_no_file_and_one_that_stays_away_says_so(
    open_house: Open, monkeypatch: pytest.MonkeyPatch, unanswered: PalimpsestError
) -> None:
    jobs = Jobs(event_interval=0.005, heartbeat=0.5, upkeep_after=0.0, lease=0.5)
    house = await open_house(jobs=jobs)
    items, away = house.workbench.library.items, [True]
    add = items.add

    async def add_if_there(*given: Any) -> object:
        if away.pop() if len(away) > 1 else away[0]:
            raise unanswered
        return await add(*given)

    monkeypatch.setattr(items, "add", add_if_there)
    away[:] = [False, True]
    read = await house.read("policy.md", POLICY)
    assert read.state == "completed"
    await house.assert_whole(read)
    away[:] = [True]
    document, problem = await house.problem("contract.md", CONTRACT)
    assert problem == unanswered.problem
    await house.assert_nothing_stored(document)


async def test_a_store_that_is_away_while_vectors_are_made_leaves_none_out(
    open_house: Open, embeddings: GatedEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house(dense_enabled=True, jobs=Jobs(event_interval=0.005, heartbeat=0.5, lease=0.5))
    items, away = house.workbench.library.items, [True]
    count = items.count_pending_vectors

    async def count_if_there(*given: Any) -> int:
        if away:
            away.clear()
            raise fail("connection", "store.mongo.mongodb_reached", detail="away")
        return await count(*given)

    monkeypatch.setattr(items, "count_pending_vectors", count_if_there)
    read = await house.read("policy.md", POLICY)
    assert (read.state, read.embedded) == ("completed", read.chunks)
    await house.assert_whole(read)


async def test_a_document_that_was_given_all_its_vectors_is_known_to_have_them_when_it_is_ready(
    open_house: Open, embeddings: GatedEmbeddings
) -> None:
    house = await open_house(dense_enabled=True, jobs=Jobs(event_interval=0.005, embed_batch=1))
    document = await house.read("policy.md", POLICY)
    assert document.embedded == document.chunks > 1
    (row,) = await house.workbench.truth.collection("documents").find({"_id": document.id})
    assert row["has_all_vectors"]


@pytest.mark.reader
async def test_a_file_that_takes_too_long_is_not_read_again(open_house: Open) -> None:
    house = await open_house(deadlines=Deadlines(extraction=0.0001))
    document, problem = await house.problem("long.md", POLICY * 500)
    assert problem.category == "timeout"
    (job,) = await house.workbench.truth.collection("jobs").find({"subject_id": document.id})
    assert job["attempts"] == 1


async def test_of_two_who_would_have_a_file_read_at_once_one_begins(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = house.workbench.library
    document = await house.read("policy.md", POLICY)
    begun = await asyncio.gather(*(library.begin(library.reading, document, "pending") for _ in range(3)))
    assert len({each.job_id for each in begun}) == 1
    assert len(await library.reading.runs_of("ada", document.id)) == 3, "reading, embedding and this one"
    runs = await house.workbench.truth.collection("runs").find({"kind": "ingestion"})
    assert len(runs) == 2, "nothing stays of the others"
    assert (await house.settled(begun[0])).state == "completed"


async def test_a_namesake_waits_for_a_choice(house: House) -> None:
    old = await house.read("policy.md", POLICY)
    refused = await house.give("policy.md", CONTRACT)
    assert (refused.status, refused.document.id) == ("namesake", old.id)
    assert len(house.stored_files()) == 1

    both = await house.give("policy.md", CONTRACT, choice="keep_both")
    assert both.status == "accepted"
    await house.settled(both.document)
    assert len(await house.workbench.library.find("ada")) == 2


async def test_a_namesake_is_replaced_when_that_is_chosen(house: House) -> None:
    old = await house.read("policy.md", POLICY)
    given = await house.give("policy.md", CONTRACT, choice="replace")
    new = await house.settled(given.document)
    assert [document.id for document in await house.workbench.library.find("ada")] == [new.id]
    assert await house.found("hotel Haifa reimbursed shekels") == set()
    assert (await house.workbench.library.undelete("ada", old.id)).state == "completed"


async def test_the_same_text_in_other_bytes_is_noted(house: House) -> None:
    await house.read("one.md", POLICY)
    second = await house.read("two.md", POLICY + "\n\n\n")
    assert any("one.md" in english and "one.md" in hebrew for english, hebrew in second.notes)


async def test_a_document_of_a_conversation_is_found_there_alone(house: House) -> None:
    mine = (await house.ask("Is there anything yet?")).asked.conversation.id
    other = (await house.ask("And here, is there anything?")).asked.conversation.id
    await house.read("contract.md", CONTRACT, scope=mine)
    question = "How long before a price rise must Pelagit give notice?"
    assert await house.found(question) == set()
    assert await house.found(question, conversation_id=other) == set()
    assert await house.found(question, conversation_id=mine) == {"contract.md"}
    assert "ninety days" in (await house.ask(question, conversation_id=mine)).view.html()


async def test_the_same_bytes_may_be_in_the_library_and_in_a_conversation(house: House) -> None:
    conversation = (await house.ask("Is there anything yet?")).asked.conversation.id
    await house.read("contract.md", CONTRACT, scope=LIBRARY)
    copy = await house.give("contract.md", CONTRACT, scope=conversation)
    assert copy.status == "accepted"
    await house.workbench.library.delete("ada", copy.document.id)
    await house.workbench.library.upkeep.compact(-1)
    assert len(house.stored_files()) == 1
    assert await house.found("price rise notice Pelagit") == {"contract.md"}


@pytest.mark.reader
async def test_a_cancelled_reading_leaves_the_entry_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        reading.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr("core.library.reading.Readers.read_file", never)
        document = (await house.give("policy.md", POLICY)).document
        await asyncio.wait_for(reading.wait(), 10)
        await house.workbench.library.cancel("ada", document.id)
        cancelled = await house.settled(document)
    assert cancelled.state == "cancelled"
    assert await house.outcomes(cancelled) == ["cancelled"]
    await house.assert_nothing_stored(cancelled)

    await house.workbench.library.retry("ada", document.id)
    again = await house.settled(document)
    assert again.state == "completed"
    await house.assert_whole(again)


async def test_a_cancelled_embedding_takes_the_text_with_it(open_house: Open, embeddings: GatedEmbeddings) -> None:
    house = await open_house(dense_enabled=True)
    embeddings.gate.clear()
    document = (await house.give("policy.md", POLICY)).document
    await asyncio.wait_for(embeddings.waiting.wait(), 10)
    assert await house.found("night in a hotel in Haifa") == {"policy.md"}
    await house.workbench.library.cancel("ada", document.id)
    cancelled = await house.settled(document)
    assert cancelled.state == "cancelled"
    assert await house.outcomes(cancelled) == ["cancelled"]
    await house.assert_nothing_stored(cancelled)

    embeddings.gate.set()
    await house.workbench.library.retry("ada", document.id)
    again = await house.settled(document)
    assert (again.state, again.embedded) == ("completed", again.chunks)
    await house.assert_whole(again)


async def test_only_a_failed_or_cancelled_document_is_read_again(house: House) -> None:
    document = await house.read("policy.md", POLICY)
    with pytest.raises(PalimpsestError) as caught:
        await house.workbench.library.retry("ada", document.id)
    assert caught.value.problem.category == "validation"


async def test_a_long_document_is_stored_in_batches_and_whole(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house(chunking=SMALL)
    monkeypatch.setattr("core.library.storing.STORE_BATCH", 3)
    document = await house.read("long.md", long_text(10))
    assert document.chunks >= 10
    await house.assert_whole(document)
    orders = [item.place.order for item in await house.workbench.library.chunks("ada", document.id)]
    assert orders == list(range(document.chunks))


async def test_a_hebrew_question_finds_a_hebrew_document(house: House) -> None:
    await house.read("נוהל.md", HEBREW)
    answer = await house.ask("לינה במלון בחיפה מוחזרת עד כמה שקלים?")
    assert answer.asked.language == "he"
    assert [source.filename for source in answer.view.sources] == ["נוהל.md"]
    assert answer.view.outcome == "answered"


async def test_samples_stay_where_they_are(house: House) -> None:
    submissions = await house.workbench.load_samples("ada")
    assert {each.status for each in submissions} == {"accepted"}
    assert all(path.exists() for path in load_samples().paths)
    assert FOLDER.is_dir()
    assert {each.status for each in await house.workbench.load_samples("ada")} == {"duplicate"}
    for each in submissions:
        await house.settled(each.document)


async def test_a_document_just_asked_about_is_read_before_those_that_came_first(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, order, gate = Readers.read_file, [], asyncio.Event()

    async def in_turn(readers: Readers, path: object, filename: str, *given: object, **named: object) -> object:
        order.append(filename)
        await gate.wait()
        return await read(readers, path, filename, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Readers, "read_file", in_turn)
    given = [(await house.give(f"{name}.md", f"# {name}\n\nA paragraph.")).document for name in ("a", "b", "c", "d")]
    assert await house.workbench.library.prefer("eve", [given[3].id]) == 0
    assert await house.workbench.library.prefer("ada", [given[3].id]) == 1
    gate.set()
    for document in given:
        await house.settled(document)
    assert order == ["a.md", "d.md", "b.md", "c.md"]


async def test_vectors_of_few_passages_come_before_those_of_many_whatever_the_files_weigh(
    open_house: Open, embeddings: GatedEmbeddings
) -> None:
    house = await open_house(dense_enabled=True, chunking=SMALL)
    embeddings.gate.clear()
    await house.give("first.md", POLICY)
    await embeddings.waiting.wait()
    many = (await house.give("many.md", long_text(30))).document
    few = (await house.give("few.html", f"<!--{'x' * 300_000}--><p>The pump of Hadar needs a valve.</p>")).document

    async def waiting() -> bool:
        jobs = await house.workbench.truth.collection("jobs").find({"kind": "embedding", "state": "pending"})
        return {job["subject_id"] for job in jobs} == {many.id, few.id}

    await until(waiting)
    ended: list[str] = []
    asyncio.get_running_loop().call_soon(embeddings.gate.set)

    async def settle(document: Document) -> None:
        await house.settled(document)
        ended.append(document.filename)

    await asyncio.gather(settle(many), settle(few))
    assert ended == ["few.html", "many.md"]


async def test_a_submitted_file_stays_unless_the_caller_lets_it_be_moved(open_house: Open, tmp_path: Path) -> None:
    library = (await open_house()).workbench.library
    path = tmp_path / "own.txt"
    for content, move, status, stays in (
        ("The first version.", False, "accepted", True),
        ("The first version.", False, "duplicate", True),
        ("The second version.", True, "namesake", True),
        ("The first version.", True, "duplicate", False),
    ):
        path.write_text(content, encoding="utf-8")
        submission = await library.submit("ada", path, "own.txt", move=move)
        assert (submission.status, path.exists()) == (status, stays)
    path.write_text("The third version.", encoding="utf-8")
    await library.submit("ada", path, "other.txt", move=True)
    assert not path.exists()
