"""Tests backups and restores, rebuilding the index, and the doctor, as called by administrators and other users."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import logging
import shutil
import socket
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest

from core.clock import HOUR
from core.errors import PalimpsestError
from core.library.extract import ocr
from core.operations.backup_folder import BackupFolder
from core.operations.doctor.machine import examine_machine
from core.personality.records import Preferences
from core.setting_groups import Backups, Limits
from core.store.edge import EdgeIndex
from core.store.migrations.type_names import rename_type
from core.store.truth import Change
from core.words import LANGUAGES
from pages.actions import Actions
from pages.handlers.operations import OperationsDesk
from pages.handlers.system import SystemPage
from tests.service.calling import REQUEST, Someone
from tests.service.conftest import Open
from tests.service.house import POLICY, GatedEmbeddings, House, long_text, settings, until

PEOPLE = ("ada", "bob")


class Known(Someone):
    """A fake sign-in check, in which Ada is an administrator."""

    def is_administrator(self, user_id: str) -> bool:
        return user_id == "ada"


class Desk:
    """Calls actions as ada, ``await desk("backup", everyone=True)``, or as bob, ``await desk.of("bob")("backup")``."""

    def __init__(self, house: House, user: str = "ada") -> None:
        self.house, someone = house, Known(user)
        self.actions = Actions(
            someone, [OperationsDesk(house.workbench, someone), SystemPage(house.workbench, someone)]
        )  # type: ignore[arg-type]

    def of(self, user: str) -> Desk:
        return Desk(self.house, user)

    async def __call__(self, endpoint: str, **given: Any) -> Any:
        action = self.actions.endpoint(endpoint)
        assert action, endpoint
        return await self.actions.perform(action, given, REQUEST)


@pytest.fixture
async def house(open_house: Open) -> House:
    return await open_house()


@pytest.fixture
def desk(house: House) -> Desk:
    return Desk(house)


async def test_a_backup_comes_back_on_another_data_directory(open_house: Open, desk: Desk, tmp_path: Path) -> None:
    house = desk.house
    for user in PEOPLE:
        await house.read("policy.md", POLICY, user)
    made = await desk("backup", everyone=True)
    assert made["backup"]["of"] is None
    assert made["summary"]["kinds"]["documents"]["total"] == 2
    path = house.workbench.settings.folder / "backups" / made["backup"]["name"]
    other = await open_house(
        home=tmp_path / "other",
    )
    folder = other.workbench.settings.folder / "backups"
    folder.mkdir()
    (folder / path.name).write_bytes(path.read_bytes())
    there = Desk(other)
    would = await there("restore_preview", backup=path.name, everyone=True)
    assert would["summary"]["kinds"]["documents"]["added"] == 2
    assert await other.workbench.library.find("bob") == []
    await there("restore", backup=path.name, everyone=True)
    assert await other.found("What is reimbursed for a hotel in Haifa?", "bob") == {"policy.md"}
    again = await there("restore_preview", backup=path.name, everyone=True)
    assert again["summary"]["kinds"]["documents"]["added"] == 0


async def test_a_backup_holds_where_conversations_stand_and_what_was_set(open_house: Open, tmp_path: Path) -> None:
    desk = Desk(await open_house(openai_api_key="sk-canary-1234"))
    bench = desk.house.workbench
    asked = await desk.house.ask("Compare it.", action="compare")
    await desk.house.ask("What is a zebra?", "bob")
    await bench.overrides.change_all({"limits.document_pages": 77, "openai_api_key": "sk-canary-5678"})
    await bench.preferences.prefer("bob", Preferences(theme="dark"))
    prompts = bench.settings.folder / "prompts"
    prompts.mkdir()
    (prompts / "answer.md.j2").write_text("Be brief.")
    name = (await desk("backup", everyone=True))["backup"]["name"]
    path = bench.settings.folder / "backups" / name
    with zipfile.ZipFile(path) as archive:
        assert not any(b"sk-canary" in archive.read(each) for each in archive.namelist())
    other = Desk(await open_house(home=tmp_path / "other"))
    shutil.copytree(path.parent, other.house.workbench.settings.folder / "backups")
    told = (await other("restore", backup=name, everyone=True))["summary"]["kinds"]
    assert (told["checkpoints"]["added"], told["installation"]["added"]) == (2, 2)
    there = other.house.workbench
    assert there.settings.limits.document_pages == 77
    assert (there.settings.folder / "prompts" / "answer.md.j2").read_text() == "Be brief."
    assert (await there.preferences.of("bob")).theme == "dark"
    where = {"configurable": {"thread_id": asked.asked.conversation.id}}
    one, two = [await each._checkpointer.aget_tuple(where) for each in (bench, there)]
    assert one is not None
    assert two is not None
    assert one.checkpoint["channel_values"]["asked"].user_id == "ada"
    assert (one.checkpoint, one.pending_writes) == (two.checkpoint, two.pending_writes)
    again = (await other("restore", backup=name, everyone=True))["summary"]["kinds"]
    assert (again["checkpoints"]["added"], again["installation"]["added"]) == (0, 0)


async def test_a_backup_of_an_older_format_is_brought_to_today_s(open_house: Open, tmp_path: Path) -> None:
    """Checkpoints in an old backup name types by the modules that they were in at that time."""
    desk = Desk(await open_house())
    asked = (await desk.house.ask("What is a zebra?")).asked
    name = (await desk("backup"))["backup"]["name"]
    folder = desk.house.workbench.settings.folder / "backups"
    older = _rewritten(folder / name, data_format=1, old=b"core.graph.records", new=b"core.graph.intent.records")
    other = Desk(await open_house(home=tmp_path / "other"))
    there = other.house.workbench.settings.folder / "backups"
    shutil.copytree(folder, there)
    (there / name).write_bytes(older.read_bytes())
    assert (await other("restore", backup=name))["summary"]["kinds"]["checkpoints"]["added"] == 1
    where = {"configurable": {"thread_id": asked.conversation.id}}
    one, two = [await each.house.workbench._checkpointer.aget_tuple(where) for each in (desk, other)]
    assert one.checkpoint == two.checkpoint  # type: ignore[union-attr]
    assert older.read_bytes() != (folder / name).read_bytes()
    later = _rewritten(folder / name, data_format=9999)
    (there / name).write_bytes(later.read_bytes())
    with pytest.raises(PalimpsestError, match="newer version"):
        await other("restore_preview", backup=name)


def _rewritten(path: Path, *, data_format: int, old: bytes = b"", new: bytes = b"") -> Path:
    """Returns the backup in the form in which another version would have written it."""
    made = path.with_suffix(".other")
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(made, "w") as target:
        manifest = json.loads(source.read("manifest.json"))
        manifest["data_format"] = data_format
        for each in source.namelist():
            content = source.read(each)
            if each == "manifest.json":
                continue
            if each == "annexes/checkpoints.jsonl" and old:
                content = b"".join(
                    json.dumps(_renamed(json.loads(line), old, new)).encode() + b"\n" for line in content.splitlines()
                )
                manifest["members"][each] |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            target.writestr(each, content)
        target.writestr("manifest.json", json.dumps(manifest))
    return made


def _renamed(row: Any, old: bytes, new: bytes) -> Any:
    """Renames every type of the module ``old`` to one of the module ``new``."""
    names = [f"{old.decode()}.{each}" for each in ("Intent", "Command")]
    for each in row["checkpoints"]:
        for value in (each["checkpoint"], each["metadata"], *(value for _, _, value in each["writes"])):
            content = base64.b64decode(value[1])
            for name in names if value[0] == "msgpack" else ():
                content = rename_type(content, old=name, new=name.replace(old.decode(), new.decode()))
            value[1] = base64.b64encode(content).decode()
    return row


async def test_people_use_their_own_backups_and_no_others(desk: Desk) -> None:
    house, bob = desk.house, desk.of("bob")
    await house.read("policy.md", POLICY, "bob")
    own = (await bob("backup"))["backup"]["name"]
    everyone = (await desk("backup", everyone=True))["backup"]["name"]
    adas = (await desk("backup"))["backup"]["name"]
    assert [each["name"] for each in (await bob("list_backups"))["backups"]] == [own]
    assert {each["name"] for each in (await desk("list_backups"))["backups"]} == {own, everyone, adas}
    refused: list[tuple[str, dict[str, object]]] = [
        ("backup", {"everyone": True}),
        ("backup", {"person": "ada"}),
        ("restore", {"backup": own, "person": "ada"}),
        ("restore", {"backup": own, "everyone": True}),
        ("restore", {"backup": everyone}),
        ("restore_preview", {"backup": adas}),
        ("restore", {"backup": f"../backups/{own}"}),
    ]
    for endpoint, given in refused:
        with pytest.raises(PalimpsestError) as caught:
            await bob(endpoint, **given)
        assert caught.value.problem.category in ("auth", "not_found"), endpoint
    assert (await bob("restore", backup=own))["summary"]["kinds"]["documents"]["skipped"] == 1


async def test_another_s_backup_is_restored_to_a_named_person(open_house: Open, desk: Desk, tmp_path: Path) -> None:
    await desk.house.read("policy.md", POLICY, "bob")
    name = (await desk("backup", person="bob"))["backup"]["name"]
    with pytest.raises(PalimpsestError, match="another user"):
        await desk("restore", backup=name)
    with pytest.raises(PalimpsestError, match="cannot be restored"):
        await desk("restore", backup=name, person="ada")
    other = await open_house(home=tmp_path / "other")
    shutil.copytree(desk.house.workbench.settings.folder / "backups", other.workbench.settings.folder / "backups")
    await Desk(other)("restore", backup=name, person="ada")
    assert [each.filename for each in await other.workbench.library.find("ada")] == ["policy.md"]
    assert await other.workbench.library.find("bob") == []


async def test_what_is_brought_from_elsewhere_is_looked_at_first(desk: Desk) -> None:
    await desk.house.read("policy.md", POLICY, "bob")
    settings, written = desk.house.workbench.settings, desk.house.workbench.uploads.written
    made = (await desk.of("bob")("backup"))["backup"]["name"]
    content = (settings.folder / "backups" / made).read_bytes()
    taken = await desk.of("bob")("receive_backup", file=str(written("bob", "b.zip", content)))
    assert taken["backup"]["by"] == "received"
    assert taken["backup"]["name"] in {each["name"] for each in (await desk.of("bob")("list_backups"))["backups"]}
    bad = written("bob", "b.zip", b"no backup")
    with pytest.raises(PalimpsestError, match="not a zip"):
        await desk.of("bob")("receive_backup", file=str(bad))
    assert not bad.exists()
    damaged = bytearray(content)
    with zipfile.ZipFile(settings.folder / "backups" / made) as archive:
        member = archive.getinfo("records/documents.jsonl")
    assert member.compress_size > 200
    damaged[member.header_offset + 200] ^= 0xFF  # its header has less than 100 bytes
    (settings.folder / "backups" / made).write_bytes(damaged)
    before = await desk.house.workbench.truth.collection("runs").count()
    with pytest.raises(PalimpsestError):
        await desk.of("bob")("restore", backup=made)
    assert await desk.house.workbench.truth.collection("runs").count() == before


async def test_scheduled_backups_are_made_when_they_are_due_and_thinned_out(open_house: Open) -> None:
    house = await open_house()
    settings = house.workbench.settings.model_copy(update={"backups": Backups(every_hours=2, keep=2)})
    (settings.folder / "backups").mkdir(exist_ok=True)
    (settings.folder / "backups" / "backup-x.zip.part").write_bytes(b"half")
    now, names = 1_000_000.0, []
    folder = BackupFolder(settings, house.workbench.memory, lambda: now)
    export = house.workbench.memory._services.export
    export._clock = lambda: now
    await folder.start()
    for hours in (0, 1, 2, 4):
        now = 1_000_000.0 + hours * HOUR
        await folder.keep_up()
        await folder.settle()
        names.append(len(await folder.all(None)))
    assert names == [1, 1, 2, 2]
    assert all(each.by == "scheduled" and each.made_at > 1_000_000.0 for each in await folder.all(None))
    assert list((settings.folder / "backups").glob("*.part")) == []


async def test_the_index_is_built_anew_paused_gone_back_from_and_kept(
    open_house: Open, embeddings: GatedEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house(dense_enabled=True)
    await house.read("reservoirs.md", long_text(8))
    desk = Desk(house)
    await house.workbench.memory.settle()
    gate, rebuild = asyncio.Event(), EdgeIndex.rebuild

    async def gated(self: EdgeIndex, *given: Any) -> Any:
        await gate.wait()
        return await rebuild(self, *given)

    monkeypatch.setattr(EdgeIndex, "rebuild", gated)
    assert (await desk("reindex"))["active"]
    with pytest.raises(PalimpsestError, match="being rebuilt"):
        await desk("reindex_roll_back")
    waiting = asyncio.create_task(desk("reindex_pause"))
    await asyncio.sleep(0)
    gate.set()
    paused = await waiting
    assert not paused["active"]
    first = await house.workbench.retrieval.index.serving()
    await desk("reindex_resume")
    await _ended(desk)
    assert (await desk("reindex_status"))["last"]["state"] == "completed"
    assert await house.workbench.retrieval.index.serving() != first
    assert (await desk("reindex_roll_back"))["last"]["state"] == "rolled_back"
    assert await house.workbench.retrieval.index.serving() == first
    assert (await desk("reindex_promote"))["last"]["previous"] is None
    with pytest.raises(PalimpsestError):
        await desk("reindex_roll_back")
    assert (await desk("check"))["differences"] == 0
    with pytest.raises(PalimpsestError):
        await desk.of("bob")("reindex")


async def _ended(desk: Desk) -> None:
    async def over() -> bool:
        return not (await desk("reindex_status"))["active"]

    await until(over, "an end of building")


async def test_a_rebuilding_that_died_goes_on_with_the_next_start(open_house: Open) -> None:
    house = await open_house()
    await house.read("policy.md", POLICY)
    await Desk(house)("reindex")
    await _ended(Desk(house))
    records = house.workbench.truth.collection("memory_reindex")
    await records.update("reindex", Change(set={"state": "running"}))
    await house.workbench.stop()
    again = Desk(await open_house())
    await _ended(again)
    assert (await again("reindex_status"))["last"]["state"] == "completed"


async def test_truth_and_index_are_compared_and_mended(desk: Desk) -> None:
    await desk.house.read("policy.md", POLICY)
    index = desk.house.workbench.retrieval.index
    points, _ = await index.scroll(None, 100)
    await index.delete([points[0].id])
    assert (await desk("check"))["missing"] == 1
    assert (await desk("repair"))["repaired"] == 1
    assert (await desk("check"))["differences"] == 0


def warnings(reply: Any) -> set[str]:
    return {each["warning"] for each in reply["findings"] if each["warning"]}


async def test_the_doctor_says_what_is_wrong_and_what_to_do(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "is_available", lambda _: True)
    house, bench = desk.house, desk.house.workbench
    bench.settings.folder.chmod(0o700)
    assert warnings(await desk("doctor")) == {"meaning_switched_off", "model_absent"}
    await house.read("policy.md", POLICY)
    await house.read("broken.pdf", b"%PDF-1.4 no more")
    points, _ = await bench.retrieval.index.scroll(None, 100)
    await bench.retrieval.index.delete([points[0].id])
    logging.getLogger("core.somewhere").error("the boiler leaks")
    bench.settings.model, bench.settings.model_base_url = "openai:m", "http://127.0.0.1:9/v1"
    bench.models.reload()
    await bench.truth.collection("runs").update_where({}, Change(set={"created_at": 4e9}))
    await bench.truth.collection("jobs").upsert({"_id": "job_x", "state": "pending", "created_at": 1.0, "kind": "none"})
    monkeypatch.setattr(ocr, "is_available", lambda _: False)
    found = await desk("doctor", ui="he")
    assert warnings(found) == {
        "meaning_switched_off", "index_differs", "documents_unread", "errors_recent", "model_away", "clock_behind",
        "jobs_stuck", "ocr_absent", "backup_missing",
    }  # fmt: skip
    assert "the boiler leaks" in str(found)
    bench.settings.backups = Backups(every_hours=1)
    assert "backup_overdue" in warnings(await desk("doctor"))
    await desk("backup", everyone=True)
    assert "backup_overdue" not in warnings(await desk("doctor"))
    with pytest.raises(PalimpsestError):
        await desk.of("bob")("doctor")


async def test_a_check_that_fails_is_a_finding(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object) -> bool:
        raise ConnectionError("secret-host:6333 refused")

    monkeypatch.setattr(EdgeIndex, "healthy", away)
    found = await desk("doctor")
    assert "check_failed" in warnings(found)
    assert "secret-host" not in str(found)


async def test_what_waits_in_the_index_is_told(open_house: Open, embeddings: GatedEmbeddings) -> None:
    house = await open_house(dense_enabled=True)
    embeddings.gate.clear()
    given = await house.give("policy.md", POLICY)
    await asyncio.wait_for(embeddings.waiting.wait(), 30)
    await house.workbench.truth.collection("memory_reindex").upsert(
        {
            "_id": "reindex",
            "state": "paused",
            "collection": "c",
            "previous": None,
            "model": "m",
            "dimension": 1,
            "started_at": 1.0,
            "updated_at": 1.0,
        }
    )
    assert {"vectors_missing", "reindex_unfinished"} <= warnings(await Desk(house)("doctor"))
    embeddings.gate.set()
    await house.settled(given.document)


def machine(home: Path, **given: object) -> set[str]:
    found = examine_machine(settings(home, **given), serving=False)
    for each in found:
        assert all(each.what.to(language) for language in LANGUAGES)
        assert (each.warning is None) == (each.state == "green") == (each.remedy is None)
    return {each.warning for each in found if each.warning}


def test_the_machine_is_looked_at_without_the_workbench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert machine(home, port=port) == {"port_taken"}
        assert not home.exists()
    assert machine(home, port=port) == set()
    home.mkdir(mode=0o755)
    home.chmod(0o755)
    assert machine(home, port=port) == {"folder_open_to_others"}
    home.chmod(0o700)
    (home / "files" / "u" / "s").mkdir(parents=True)
    (home / "files" / "u" / "s" / "content").write_bytes(b"x")
    assert machine(home, port=port) == {"truth_emptied"}
    (home / "truth.sqlite").write_bytes(b"scribble" * 1000)
    assert machine(home, port=port) == {"truth_unreadable"}
    (home / "truth.sqlite").unlink()
    (home / "damaged-1").mkdir()
    (home / "damaged-1" / "truth.sqlite").write_bytes(b"x")
    assert machine(home, port=port) == {"truth_emptied", "truth_set_aside"}
    assert machine(home, port=port, limits=Limits(disk_low_bytes=2**60)) >= {"disk_full"}
    assert machine(home, port=port, embedding_url="http://x", model_small="m") >= {"settings_unused"}
    assert "data_elsewhere" not in machine(home, port=port, mongodb_uri="mongodb://x")
    (home / "truth.sqlite").write_bytes(b"x")
    assert "data_elsewhere" in machine(home, port=port, mongodb_uri="mongodb://x")
    monkeypatch.setenv("PALIMPSEST_EMBEDING_URL", "http://x")
    assert "settings_unknown" in machine(home, port=port)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    assert "folder_not_writable" in machine(tmp_path / "home", port=0)


def test_a_disk_that_fills_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(free=2**30 - 1))
    assert "disk_low" in machine(tmp_path / "home", port=0)


async def test_data_of_a_later_version_are_told(house: House) -> None:
    await house.workbench.stop()
    path = house.workbench.settings.folder / "truth.sqlite"
    with sqlite3.connect(path) as truth:
        truth.execute("PRAGMA user_version = 9999")
    assert "format_later" in machine(house.workbench.settings.folder, port=0)


async def test_originals_whose_records_are_gone_are_told_and_read_again(open_house: Open) -> None:
    house = await open_house()
    await house.read("policy.md", POLICY)
    await house.ask("What is a zebra?", "bob")
    await house.read("letter.html", "<html><body><h1>Boilers</h1><p>The boiler leaks.</p></body></html>", "bob")
    assert (await house.workbench.health()).state != "red"
    await house.workbench.truth.collection("documents").delete({})
    await house.workbench.truth.collection("items").delete({})
    report = await house.workbench.health()
    assert (report.state, [each.warning for each in report.parts if each.state == "red"]) == ("red", ["truth_emptied"])
    stranger = house.workbench.settings.folder / "files" / ("0" * 32) / ("1" * 64)
    stranger.mkdir(parents=True)
    (stranger / "content").write_bytes(b"whose?")
    desk = Desk(house)
    with pytest.raises(PalimpsestError):
        await desk.of("bob")("rebuild_from_originals")
    assert await desk("rebuild_from_originals") == {"taken": 1, "unowned": 2, "refused": 0}

    await house.workbench.accounts.create("ada", "analytical engine", "administrator")
    assert await desk("rebuild_from_originals") == {"taken": 1, "unowned": 1, "refused": 0}
    for user, question in (("ada", "What is reimbursed for a hotel in Haifa?"), ("bob", "Which boiler leaks?")):
        (document,) = await house.workbench.library.find(user)
        assert (await house.settled(document)).state == "completed"
        assert document.filename in await house.found(question, user)
    assert await desk("rebuild_from_originals") == {"taken": 0, "unowned": 1, "refused": 0}


async def test_administrators_see_the_whole_system_and_people_what_is_theirs(desk: Desk) -> None:
    await desk.house.read("policy.md", POLICY, "bob")
    await desk("backup", everyone=True)
    await desk("check")
    whole, part = await desk("get_system"), await desk.of("bob")("get_system")
    assert whole["storage"]["kinds"]["records"] > 0
    assert whole["upkeep"]["check"]["looked_at"] > 0
    assert whole["backed_up"]
    assert {each["breaker"] for each in whole["called"]} == {"closed"}
    assert all(each["calls"] and each["last"] >= 0 for each in whole["called"])
    assert [part[name] for name in ("may_change", "storage", "called", "upkeep", "backed_up")] == [False, *[None] * 4]
    assert [each["name"] for each in part["parts"]] == [each["name"] for each in whole["parts"]]


async def test_work_under_way_is_its_owner_s_to_read(desk: Desk) -> None:
    run = await desk.house.workbench.ledger.start("bob", "question", "Who earns what?")
    (theirs,) = (await desk("get_system"))["under_way"]
    assert (theirs["user_id"], theirs["about"], theirs["mine"]) == ("bob", None, False)
    (own,) = (await desk.of("bob")("get_system"))["under_way"]
    assert (own["about"], own["mine"], own["kind"]) == ("Who earns what?", True, "question")
    await desk.house.workbench.ledger.end(run, "completed")
    assert (await desk("get_system"))["under_way"] == []


async def test_a_part_that_does_half_its_work_is_amber(open_house: Open, embeddings: GatedEmbeddings) -> None:
    house = await open_house(dense_enabled=True)
    desk = Desk(house)
    before = {each["warning"] for each in (await desk("get_system"))["parts"]}
    assert "model_absent" in before
    assert "vectors_missing" not in before
    embeddings.gate.clear()
    await house.give("policy.md", POLICY)
    await asyncio.wait_for(embeddings.waiting.wait(), 30)
    after = await desk("get_system")
    embeddings.gate.set()
    assert "vectors_missing" in {each["warning"] for each in after["parts"]}
    assert after["state"] == "amber"
