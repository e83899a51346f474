"""Tests the public reference servers: found, called, reported on, cancelled, listed."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.tools.tool import Caller
from tests.core.tools.mcp.conftest import Open, until
from tests.servers.local import LocalServer, text_reply
from tests.servers.tools import everything_at, published, reference


async def test_files_are_read_and_written_where_the_server_may(running: Open, tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "minutes.txt").write_text("The board met:\n    on Tuesday.", encoding="utf-8")
    house = await running(files=reference("filesystem", str(folder)))
    await house.ready("files")
    read = await house.call("files", "read_text_file", path=str(folder / "minutes.txt"))
    assert read.texts[0].text == "The board met:\n    on Tuesday."
    await house.call("files", "write_file", path=str(folder / "new.txt"), content="kept")
    assert (folder / "new.txt").read_text() == "kept"
    with pytest.raises(PalimpsestError) as refused:
        await house.call("files", "list_directory", path="/etc")
    assert refused.value.problem.category == "auth"
    with pytest.raises(PalimpsestError) as missing:
        await house.call("files", "read_text_file", path=str(folder / "nothing.txt"))
    assert missing.value.problem.category == "not_found"


async def test_hints_say_what_each_tool_may_do(running: Open, tmp_path: Path) -> None:
    house = await running(files=reference("filesystem", str(tmp_path)))
    await house.ready("files")
    reading, writing = (house.tool("files", name).definition.effects for name in ("read_text_file", "write_file"))
    assert reading.harmless
    assert (writing.reads_only, writing.deletes, writing.spends) == (False, True, True)


async def test_the_time_is_told_as_a_table_and_not_once_more_as_text(running: Open) -> None:
    house = await running(time=published("mcp_server_time"))
    await house.ready("time")
    told = await house.call("time", "get_current_time", timezone="Asia/Jerusalem")
    table = told.tables[0]
    cells = dict(zip(table.columns, table.rows[0], strict=True))
    assert cells["timezone"] == "Asia/Jerusalem"
    assert abs(datetime.fromisoformat(str(cells["datetime"])).timestamp() - datetime.now().timestamp()) < 60
    assert '"Asia/Jerusalem"' in told.text
    assert told.texts == []
    with pytest.raises(PalimpsestError) as wrong:
        await house.call("time", "get_current_time", timezone="Nowhere/Atlantis")
    assert wrong.value.problem.category in ("validation", "not_found")


async def test_a_page_is_fetched(running: Open) -> None:
    page = "<html><body><article><h1>Rates</h1><p>The rate is five percent.</p></article></body></html>"
    house = await running(fetch=published("mcp_server_fetch", "--ignore-robots-txt", "--allow-private-ips"))
    await house.ready("fetch")
    async with LocalServer(text_reply(page)) as server:
        got = await house.call("fetch", "fetch", url=f"{server.url}/rates", raw=True)
    assert "The rate is five percent." in got.text


async def test_records_become_tables(running: Open, tmp_path: Path) -> None:
    command, arguments = reference("memory")
    env = {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")}
    house = await running(memory={"command": command, "args": arguments, "env": env})
    await house.ready("memory")
    entities = [
        {"name": "Noga", "entityType": "person", "observations": ["writes", "swims"]},
        {"name": "Haifa", "entityType": "city", "observations": []},
    ]
    await house.call("memory", "create_entities", entities=entities)
    graph = await house.call("memory", "read_graph")
    table = next(each for each in graph.tables if each.title.endswith("entities"))
    assert table.columns == ["name", "entityType", "observations"]
    assert table.rows == [["Noga", "person", "writes, swims"], ["Haifa", "city", ""]]
    assert (tmp_path / "memory.jsonl").exists()


async def test_progress_is_told_as_it_comes(running: Open) -> None:
    told: list[tuple[float | None, str]] = []
    house = await running(everything=reference("everything"))
    await house.ready("everything")
    caller = Caller("ada", report=lambda done, note: told.append((done, note)))
    await house.call("everything", "trigger-long-running-operation", caller, duration=0.2, steps=4)
    assert [done for done, _ in told] == [0.25, 0.5, 0.75, 1.0]


async def test_resources_and_prompts_are_listed(running: Open) -> None:
    house = await running(everything=reference("everything"))
    offered = (await house.ready("everything")).offered
    assert {each.template for each in offered.resources} == {True, False}
    assert any(each.arguments for each in offered.prompts)
    assert all(each.uri and each.name for each in offered.resources)


async def test_links_texts_and_pictures_are_told_apart(running: Open) -> None:
    house = await running(everything=reference("everything"))
    await house.ready("everything")
    links = await house.call("everything", "get-resource-links", count=3)
    assert len([each.url for each in links.texts if each.url]) == 3
    held = await house.call("everything", "get-resource-reference", resourceType="Text", resourceId=1)
    assert any(each.url and each.text for each in held.texts)
    picture = await house.call("everything", "get-tiny-image")
    assert [note.en for note in picture.notes] == ["One part of the result is not text and was left out."]
    record = await house.call("everything", "get-structured-content", location="Chicago")
    assert {"temperature", "conditions", "humidity"} <= set(record.tables[0].columns)


async def test_neither_models_nor_folders_of_ours_are_offered(running: Open) -> None:
    """The server offers the tools that need the client's models or folders only if the client supports these."""
    house = await running(everything=reference("everything"))
    names = {each.name for each in (await house.ready("everything")).offered.tools}
    assert "echo" in names
    assert not {name for name in names if "sampling" in name or "roots" in name or "elicitation" in name}


async def test_only_what_is_set_is_in_its_environment(running: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-ours")
    command, arguments = reference("everything")
    house = await running(everything={"command": command, "args": arguments, "env": {"GIVEN": "to it"}})
    await house.ready("everything")
    told = json.loads((await house.call("everything", "get-env")).texts[0].text)
    assert told["GIVEN"] == "to it"
    assert "OPENAI_API_KEY" not in told
    # Python itself sets LC_CTYPE for UTF-8; the process that guards the server passes it on in the environment.
    assert set(told) <= {"GIVEN", "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LC_CTYPE"}


async def test_the_same_server_over_http(running: Open, tmp_path: Path) -> None:
    """The server is killed and restarted; it then does not know the earlier session."""
    async with everything_at() as (first, url):
        house = await running(everything={"url": url})
        await house.ready("everything")
        assert "Echo: hello" in (await house.call("everything", "echo", message="hello")).text
        told: list[float | None] = []
        caller = Caller("ada", report=lambda done, note: told.append(done))
        await house.call("everything", "trigger-long-running-operation", caller, duration=0.2, steps=2)
        assert told == [0.5, 1.0]
        first.kill()
        await first.wait()
        with pytest.raises(PalimpsestError) as lost:
            await house.call("everything", "echo", message="hello")
        assert lost.value.problem.category == "connection"
        async with everything_at(url):
            await house.servers.refresh(house.one("everything").configured.id)
            await until(lambda: house.one("everything").condition == "ready", "its return")
            assert "Echo: again" in (await house.call("everything", "echo", message="again")).text
