"""Tests that a backup file holds all data and that a restore gives identical search results; a damaged file changes
nothing."""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
import zipfile
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest
from qdrant_client import AsyncQdrantClient

from core.errors import PalimpsestError
from core.ids import point_id
from core.library.records import Document, Metadata
from core.memory.corrections.records import Correction
from core.memory.items.reading import ITEMS
from core.memory.items.records import OutcomeExample
from core.memory.items.writing import MemoryItems
from core.memory.maintenance.archive import MANIFEST
from core.memory.maintenance.backup import SECTIONS, BackupSummary, Export, Section
from core.memory.maintenance.restore import RESTORING, Restore
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.records.memory_meta import Tier
from core.resilience.dependencies import Deadline, Dependency
from core.runs.records import Run
from core.search.pipeline import SearchPipeline
from core.search.request import SearchRequest
from core.search.retrievers import Dependencies
from core.setting_groups import Search
from core.store.edge import EdgeIndex
from core.store.files import LocalFiles
from core.store.index import Index, Schema, Vector
from core.store.items import Book, ItemSource, MemoryItem, Place, Timestamps
from core.store.mongo import MongoTruth
from core.store.qdrant import QdrantIndex
from core.store.scope import ScopedTruth
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change, Json, Truth
from tests.contract.conftest import Stores

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]

ADA, BOB = "ada", "bob"
NOW = 100.0
DOCUMENT = f"doc_{1:032x}"
CONVERSATION = f"conv_{1:032x}"
RUN = f"run_{1:032x}"
QUESTION = "Where is the boiler?"
DIMENSION = 8
ALL_SECTIONS = (*SECTIONS, Section("documents", Document, fresh=lambda row: {**row, "embedded": 0}, originals=True))


class Letters:
    """Embeds a text by the letters in it."""

    def __init__(self, model: str = "letters") -> None:
        self.identity = EmbeddingIdentity(model, DIMENSION, Calibration(0.0, 1.0))
        self.embedded = 0

    async def embed_query(self, text: str) -> Vector:
        counts = np.zeros(DIMENSION, dtype=np.float32)
        for letter in text.lower():
            counts[ord(letter) % DIMENSION] += 1
        unit: Vector = counts / np.linalg.norm(counts)
        return unit

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        self.embedded += len(texts)
        return np.stack([await self.embed_query(text) for text in texts])


class Home:
    """Everything that one installation stores."""

    def __init__(self, truth: Truth, index: Index, folder: Path, model: str = "letters") -> None:
        self.truth, self.index, self.folder = truth, index, folder
        self.embeddings = Letters(model)
        self.items = MemoryItems(truth, index, self.embeddings, lambda: NOW)
        self.files = LocalFiles(folder / "files")
        self.schema = Schema(model, DIMENSION)
        self.counted: list[tuple[str, str]] = []
        points = self.items.points
        self.exporting = Export(truth, points, self.files, ALL_SECTIONS, model, lambda: NOW)
        self.restoring = Restore(
            truth, points, self.files, ALL_SECTIONS, self.schema, lambda: True, self.recount, lambda: NOW
        )

    async def recount(self, user_id: str, document_id: str) -> None:
        self.counted.append((user_id, document_id))

    async def export(self, user_id: str | None = ADA, name: str = "ada.zip") -> Path:
        path = self.folder / name
        await self.exporting.export(user_id, path)
        return path

    async def embed(self) -> None:
        while waiting := await self.items.pending_vectors(None, None, 100):
            texts = [item.embedded_text for item in waiting]
            await self.items.set_vectors(waiting, await self.embeddings.embed_passages(texts))

    async def found(self, user_id: str = ADA) -> list[tuple[object, ...]]:
        def dependency(name: str) -> Dependency:
            return Dependency(name, 10.0)

        pipeline = SearchPipeline(
            self.index,
            self.embeddings,
            None,
            self.items.load,
            _no_fallback,
            Dependencies(*(dependency(name) for name in ("dense", "lexical", "embeddings", "reranker", "truth"))),
            Search(),
        )
        tiers: tuple[Tier, ...] = ("working", "history", "memory_bank", "books")
        request = SearchRequest(user_id, QUESTION, 20, tiers, ["memory", "library"])
        hits = (await pipeline.search(request, Deadline(20.0))).hits
        return [
            (each.item.id, each.item.text, each.cosine, each.bm25, each.dense_rank, each.lexical_rank, each.final)
            for each in hits
        ]

    async def everything(self, user_id: str = ADA) -> dict[str, list[Json]]:
        """Returns all rows of a user, without the times at which they were indexed."""
        scope = ScopedTruth(self.truth, user_id)
        found = {section.collection: await scope.collection(section.collection).find() for section in ALL_SECTIONS}
        for row in found[ITEMS]:
            embedding = row["embedding"]
            assert isinstance(embedding, dict)
            embedding["last_indexed_at"] = None
        return found


def same(found: list[tuple[object, ...]], expected: list[tuple[object, ...]]) -> bool:
    """Returns whether both have the same hits in the same order; engines differ in the last digits of cosines."""
    return [each[:2] for each in found] == [each[:2] for each in expected] and all(
        one[2:] == pytest.approx(other[2:], abs=1e-6) for one, other in zip(found, expected, strict=True)
    )


async def _no_fallback(*_: object) -> list[tuple[str, float]]:
    raise AssertionError("the index answers")


def item(number: int, text: str, tier: Tier = "working", user_id: str = ADA) -> MemoryItem:
    book = Book(book_id=DOCUMENT, title="Manual", filename="manual.md", chunk_index=number)
    is_book = tier == "books"
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id=user_id,
        tier=tier,
        text=text,
        scope="library" if is_book else "memory",
        document_id=DOCUMENT if is_book else None,
        source=ItemSource(type="document" if is_book else "user", book=book if is_book else None),
        timestamps=Timestamps(created_at=1.0, updated_at=10.0),
        place=Place(episode=DOCUMENT if is_book else None, order=number),
    )


def rows_of(user_id: str, sha256: str) -> dict[str, list[Json]]:
    document = Document(
        id=DOCUMENT,
        user_id=user_id,
        filename="manual.md",
        mime="text/markdown",
        size=5,
        sha256=sha256,
        state="completed",
        metadata=Metadata(title="Manual"),
        chunks=2,
        searchable=2,
        added_at=1.0,
        updated_at=1.0,
    )
    lesson = OutcomeExample(
        id=f"les_{1:032x}",
        user_id=user_id,
        answer_id=f"msg_{1:032x}",
        memory_id=f"mem_{1:032x}",
        question=QUESTION,
        outcome="worked",
        authority="person",
        at=2.0,
    )
    correction = Correction(
        id=f"corr_{1:032x}",
        user_id=user_id,
        answer_id="msg_1",
        question=QUESTION,
        value="in the cellar",
        created_at=3.0,
    )
    run = Run(
        id=RUN,
        user_id=user_id,
        kind="question",
        subject=QUESTION,
        conversation_id=CONVERSATION,
        state="ended",
        outcome="answered",
        created_at=1.0,
    )
    event = {"type": "run.completed", "outcome": "answered"}
    return {
        "documents": [document.model_dump(by_alias=True, mode="json")],
        "memory_lessons": [lesson.model_dump(by_alias=True, mode="json")],
        "memory_corrections": [correction.model_dump(by_alias=True, mode="json")],
        "memory_routing": [{"_id": f"route_{1:032x}", "concept": "boiler", "counts": {"working": 3}}],
        "memory_data": [{"_id": f"data_{1:032x}", "key": "k", "value": {"a.b": [1, None, "ש"]}, "updated_at": 1.0}],
        "conversations": [
            {"_id": CONVERSATION, "title": "Boiler", "title_by": "model", "messages": 2, "created_at": 1.0}
            | {"updated_at": 1.0, "deleted_at": None, "version": 0}
        ],
        "runs": [run.model_dump(by_alias=True, mode="json")],
        "run_events": [{"_id": f"{RUN}:00000001", "run_id": RUN, "sequence": 1, "at": 1.0, "event": event}],
    }


async def furnish(home: Home, user_id: str = ADA) -> None:
    texts = ["The boiler is in the cellar", "Where the boiler is, nobody knew", "הדוד נמצא במרתף", "Tea is at five"]
    tiers: list[Tier] = ["working", "history", "memory_bank", "working"]
    await home.items.ensure()
    pairs = zip(texts, tiers, strict=True)
    await home.items.add(user_id, [item(n, text, tier, user_id) for n, (text, tier) in enumerate(pairs, start=1)])
    passages = ["A boiler heats water.", "Check the boiler monthly."]
    await home.items.add(user_id, [item(n, text, "books", user_id) for n, text in enumerate(passages, start=11)])
    await home.embed()
    await home.items.change(user_id, item(4, "").id, Change(set={"status": "archived"}))
    original = home.folder / "upload"
    original.write_text("hello")
    stored = await home.files.put(original, user_id, DOCUMENT)
    for collection, rows in rows_of(user_id, stored.sha256).items():
        for row in rows:
            await ScopedTruth(home.truth, user_id).collection(collection).upsert({**row, "user_id": user_id})


@pytest.fixture
async def home(stores: Stores, tmp_path: Path) -> Home:
    truth, index = stores
    (tmp_path / "first").mkdir()
    made = Home(truth, index, tmp_path / "first")
    await index.start(made.schema)
    await furnish(made)
    return made


@pytest.fixture
async def empty(stores: Stores, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Home]:
    """A second installation, still empty, on the same kind of stores."""
    folder = tmp_path / "second"
    folder.mkdir()
    truth: SqliteTruth | MongoTruth
    index: EdgeIndex | QdrantIndex
    if isinstance(stores[0], SqliteTruth):
        truth, index = SqliteTruth(folder / "truth.sqlite", seconds=10.0), EdgeIndex(folder / "index")
    else:
        truth = MongoTruth(request.getfixturevalue("mongodb_uri"), f"test_{uuid4().hex}", seconds=10.0)
        index = QdrantIndex(client=AsyncQdrantClient(":memory:"))
    await truth.start()
    made = Home(truth, index, folder)
    await index.start(made.schema)
    await made.items.ensure()
    yield made
    await index.stop()
    if isinstance(truth, MongoTruth):
        await truth.database.client.drop_database(truth.database)
    await truth.stop()


def sums(summary: BackupSummary) -> tuple[int, int, int]:
    counts = summary.kinds.values()
    return (
        sum(each.added for each in counts),
        sum(each.replaced for each in counts),
        sum(each.skipped for each in counts),
    )


async def test_an_empty_home_finds_the_same_with_the_same_scores(home: Home, empty: Home) -> None:
    path = await home.export()
    dry = await empty.restoring.inspect(path, ADA)
    assert (sums(dry), dry.vectors, dry.vectors_fit, dry.files) == ((13, 0, 0), 6, True, 1)
    assert await empty.everything() == {section.collection: [] for section in ALL_SECTIONS}

    done = await empty.restoring.restore(path, ADA)
    assert done == dry
    assert len(await home.found()) == 5
    assert same(await empty.found(), await home.found())
    assert empty.embeddings.embedded == 0, "no vector is computed that the backup holds"
    assert await empty.everything() == await home.everything()
    assert empty.counted == [(ADA, DOCUMENT)]
    (document,) = await empty.truth.collection("documents").find()
    async with empty.files.open(str(document["sha256"]), ADA) as original:
        assert original.read_text() == "hello"
    assert (await empty.restoring.restore(path, ADA)).kinds[ITEMS].skipped == 6


async def test_a_backup_is_its_owners_alone_and_holds_nobody_else(home: Home, empty: Home) -> None:
    await home.items.add(BOB, [item(50, "Bob's secret boiler", user_id=BOB)])
    await home.embed()
    path = await home.export()
    with zipfile.ZipFile(path) as opened:
        assert not any(b"secret" in opened.read(name) for name in opened.namelist())
    assert path.stat().st_mode & 0o077 == 0
    everyone = await home.export(None, "all.zip")
    assert (await empty.restoring.inspect(everyone, None)).kinds[ITEMS].total == 7
    await empty.restoring.restore(everyone, BOB)
    assert [row["text"] for row in await empty.truth.collection(ITEMS).find()] == ["Bob's secret boiler"]
    await empty.restoring.restore(everyone, None)
    assert same(await empty.found(), await home.found())
    assert same(await empty.found(BOB), await home.found(BOB))


async def test_what_is_restored_belongs_to_whoever_restores_it(home: Home, empty: Home) -> None:
    path = await home.export()
    await empty.restoring.restore(path, "eve")
    assert await empty.everything() == {section.collection: [] for section in ALL_SECTIONS}
    assert len(await empty.found("eve")) == 5
    (document,) = await empty.truth.collection("documents").find({"user_id": "eve"})
    async with empty.files.open(str(document["sha256"]), "eve") as original:
        assert original.read_text() == "hello"


async def test_nobody_takes_over_what_is_someone_elses_here(home: Home) -> None:
    path = await home.export()
    before = await home.everything()
    with pytest.raises(PalimpsestError) as raised:
        await home.restoring.restore(path, BOB)
    assert raised.value.problem.category == "validation"
    assert await home.everything() == before
    assert await home.truth.collection(ITEMS).count({"user_id": BOB}) == 0


async def test_what_is_newer_here_stays_and_what_is_older_is_replaced(home: Home) -> None:
    path = await home.export()
    newer, older = await home.items.get(ADA, item(1, "").id), await home.items.get(ADA, item(2, "").id)
    assert newer
    assert older
    for each, text, when in ((newer, "newer here", 11.0), (older, "older here", 9.0)):
        times = each.timestamps.model_copy(update={"updated_at": when})
        await home.items.revise(each.model_copy(update={"text": text, "timestamps": times, "version": each.version}))
    await home.embed()
    summary = await home.restoring.restore(path, ADA)
    assert (summary.kinds[ITEMS].replaced, summary.kinds[ITEMS].skipped) == (1, 5)
    shown = {each.id: each.text for each in await home.items.load(ADA, [newer.id, older.id])}
    assert shown == {newer.id: "newer here", older.id: "Where the boiler is, nobody knew"}
    assert {text for _, text, *_ in await home.found()} >= set(shown.values())


async def test_with_another_model_words_are_found_at_once_and_vectors_are_computed_later(
    home: Home, empty: Home
) -> None:
    path = await home.export()
    other = Home(empty.truth, empty.index, empty.folder, "other")
    other.restoring._fits = lambda: False
    summary = await other.restoring.restore(path, ADA)
    assert not summary.vectors_fit
    assert len(await other.items.pending_vectors(ADA, None, 100)) == 5
    found = await other.found()
    assert len(found) == 4, "one says it in another language"
    assert all(cosine is None for _, _, cosine, *_ in found)


class CrashError(Exception):
    """Raised at the moment at which the simulated process dies."""


CRASHES: dict[str, Callable[[Home], tuple[object, str, int]]] = {
    "before anything": lambda home: (home.restoring, "_write_page", 0),
    "before the items": lambda home: (home.restoring, "_write_items", 0),
    "items stored, index empty": lambda home: (home.index, "upsert", 0),
    "items there and hidden": lambda home: (home.restoring, "_show", 0),
    "memories shown, documents not": lambda home: (home.restoring, "_original", 0),
    "before the last passages": lambda home: (home.restoring, "_show", 1),
}


@pytest.mark.parametrize("moment", CRASHES)
async def test_a_restore_that_dies_leaves_nothing_half_visible_and_may_be_repeated(
    moment: str, home: Home, empty: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await home.export()
    owner, method, passes = CRASHES[moment](empty)
    original, calls = getattr(owner, method), 0

    async def fatal(*given: object, **named: object) -> object:
        nonlocal calls
        calls += 1
        if calls > passes:
            raise BaseExceptionGroup("killed", [CrashError()])
        return await original(*given, **named)

    with monkeypatch.context() as dying:
        dying.setattr(owner, method, fatal)
        # A failure because the index is missing does no harm, so only other failures end the restore.
        if owner is empty.index:
            await empty.restoring.restore(path, ADA)
            await empty.items.load(ADA, [item(1, "").id])
        else:
            with pytest.raises(BaseExceptionGroup):
                await empty.restoring.restore(path, ADA)
            seen = {str(found[0]) for found in await empty.found()}
            memories = {item(number, "").id for number in (1, 2, 3)}
            assert seen in (set(), memories), "all memories or none, and no passage without its document's entry"
    await empty.items.repair()
    await empty.restoring.restore(path, ADA)
    await empty.items.repair()
    await empty.embed()
    assert same(await empty.found(), await home.found())
    assert await empty.truth.collection(ITEMS).count({RESTORING: True}) == 0


# -- hostile and damaged files -----------------------------------------------------------------------------------------


def rewritten(path: Path, change: Callable[[dict[str, bytes]], None], *, honest: bool = True) -> Path:
    """Returns the backup with some of its files replaced; with ``honest``, its manifest matches the new content."""
    with zipfile.ZipFile(path) as opened:
        members = {name: opened.read(name) for name in opened.namelist()}
    manifest = json.loads(members.pop(MANIFEST))
    change(members)
    override = members.pop("override", None)
    if honest:
        known = manifest["members"]
        manifest["members"] = {
            name: {
                "sha256": hashlib.sha256(content).hexdigest(),
                "bytes": len(content),
                "count": known.get(name, {}).get("count", 1) if not name.endswith(".jsonl") else content.count(b"\n"),
            }
            for name, content in members.items()
        }
    if override:
        manifest |= json.loads(override)
    target = path.with_name("changed.zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in members.items():
            written.writestr(name, content)
        written.writestr(MANIFEST, json.dumps(manifest))
    return target


ITEM_ROWS = f"records/{ITEMS}.jsonl"


def edited(field: str, value: object) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        rows = [json.loads(line) for line in members[ITEM_ROWS].splitlines()]
        rows[-1][field] = value
        members[ITEM_ROWS] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    return change


def replaced(name: str, content: bytes) -> Callable[[dict[str, bytes]], None]:
    return lambda members: members.update({name: content})


def doubled(members: dict[str, bytes]) -> None:
    members[ITEM_ROWS] += members[ITEM_ROWS].splitlines(keepends=True)[-1]


def huge_vectors(members: dict[str, bytes]) -> None:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (900000000000, 8), }"
    header += b" " * (117 - len(header)) + b"\n"
    members["vectors/000000.npy"] = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header


def poisoned_vectors(members: dict[str, bytes]) -> None:
    name = "vectors/000000.npy"
    members[name] = members[name][:-4] + struct.pack("<f", float("nan"))


HOSTILE: dict[str, Callable[[dict[str, bytes]], None]] = {
    "another user's row": edited("user_id", BOB),
    "an id of another shape": edited("_id", "../../etc/passwd"),
    "an id of another kind": edited("_id", f"zoo_{99:032x}"),
    "an unknown status": edited("status", "root"),
    "a text that is a number": edited("text", 7),
    "an infinite time": edited("timestamps", {"created_at": 1e400, "updated_at": 1.0}),
    "a number beyond 64 bits": edited("version", 10**30),
    "a row twice": doubled,
    "a row that is no object": replaced(ITEM_ROWS, b"[1]\n"),
    "a row cut in two": replaced(ITEM_ROWS, b'{"_id": "mem_\n'),
    "a collection nobody knows": replaced("records/secrets.jsonl", b"{}\n"),
    "a path that leads out": replaced("../../evil.sh", b"#!"),
    "an absolute path": replaced("/etc/cron.d/evil", b"#!"),
    "a file of another digest": replaced(f"files/{0:032x}/{0:064x}", b"not it"),
    "vectors that are too many": huge_vectors,
    "vectors that are no numbers": poisoned_vectors,
    "vectors without ids": lambda members: members.update({"vectors/000000.json": b"[]"}),
    "a newer form": replaced("override", b'{"format": 99}'),
    "an unpickled surprise": replaced("vectors/000000.npy", b"\x80\x04cos\nsystem\n."),
    "a bomb": replaced("records/memory_routing.jsonl", b" " * 400_000_000),
}


async def assert_refused(home: Home, path: Path) -> None:
    before = await home.everything()
    files = sorted(home.folder.rglob("*"))
    for attempt in (home.restoring.inspect, home.restoring.restore):
        with pytest.raises(PalimpsestError) as raised:
            await attempt(path, ADA)
        assert raised.value.problem.category == "validation"
        assert all(part.en and part.he for part in (raised.value.problem.what, raised.value.problem.remedy))
    assert await home.everything() == before
    assert sorted(home.folder.rglob("*")) == files
    points, _ = await home.index.scroll(None, 100)
    assert len(points) == len(before[ITEMS])


@pytest.mark.parametrize("attack", HOSTILE)
async def test_a_hostile_file_changes_nothing(attack: str, home: Home, empty: Home) -> None:
    path = rewritten(await home.export(), HOSTILE[attack])
    await assert_refused(empty, path)


async def test_a_damaged_or_foreign_file_changes_nothing(home: Home, empty: Home, tmp_path: Path) -> None:
    whole = await home.export()
    content = whole.read_bytes()
    damaged = tmp_path / "damaged.zip"
    for broken in (b"", b"PK", b"not a zip at all", content[: len(content) // 2], content[:-10]):
        damaged.write_bytes(broken)
        await assert_refused(empty, damaged)
    with zipfile.ZipFile(whole) as opened:
        # After the ZIP header and its extra field for large sizes.
        inside = [each.header_offset + 54 + len(each.filename) for each in opened.infolist() if each.compress_size > 12]
    assert len(inside) > 8
    for at in inside:
        damaged.write_bytes(content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :])
        await assert_refused(empty, damaged)
    shutil.copy(whole, damaged)
    dishonest = rewritten(damaged, edited("text", "changed"), honest=False)
    await assert_refused(empty, dishonest)
    await assert_refused(empty, tmp_path / "nowhere.zip")


async def test_vectors_of_a_text_that_has_changed_are_not_in_the_backup(home: Home, empty: Home) -> None:
    stored = await home.items.get(ADA, item(1, "").id)
    assert stored
    await home.items.revise(stored.model_copy(update={"text": "The boiler has moved"}))
    await empty.restoring.restore(await home.export(), ADA)
    (point,) = await empty.index.retrieve([point_id(stored.id)], with_vectors=True)
    assert point.dense is None
    assert [each.id for each in await empty.items.pending_vectors(ADA, None, 10)] == [stored.id]
