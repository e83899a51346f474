"""Tests the life of a local tool server: it starts as configured, follows changes of the configuration, and ends with
the workbench."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr

from core.errors import PalimpsestError
from core.tools.mcp.configuration import FILE
from core.tools.mcp.records import ServerDraft
from core.tools.tool import Tool
from tests.core.tools.mcp.conftest import Open, until
from tests.servers.tools import ours, published

CANARY = "canary-9b1f"


def pids(path: Path) -> list[int]:
    return [int(each) for each in path.read_text().split()] if path.exists() else []


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def draft(name: str = "dying", **given: object) -> ServerDraft:
    command, arguments = ours("dying", str(given.pop("file")))
    return ServerDraft.model_validate({"name": name, "command": command, "args": arguments, **given})


# -- the child process -------------------------------------------------------------------------


async def test_arguments_are_a_list_and_no_shell_reads_them(running: Open, tmp_path: Path) -> None:
    odd = tmp_path / "$(touch bad); echo `id` && 'x' *"
    command, arguments = ours("dying", str(odd))
    house = await running(dying={"command": command, "args": arguments, "cwd": str(tmp_path)})
    await house.ready("dying")
    assert len(pids(odd)) == 1
    assert not (tmp_path / "bad").exists()


@pytest.mark.skipif(os.name == "nt", reason="process groups")
async def test_stopping_ends_the_program_and_what_it_has_started(running: Open, tmp_path: Path) -> None:
    """The program and its child both ignore the request to end."""
    house = await running(dying=ours("dying", str(tmp_path / "pids"), "leaving-a-child", "deaf"))
    await house.ready("dying")
    program, child = pids(tmp_path / "pids")
    assert alive(program)
    assert alive(child)
    await house.servers.stop()
    await until(lambda: not alive(program) and not alive(child), "their end")


@pytest.mark.skipif(os.name == "nt", reason="process groups")
async def test_what_a_dead_program_has_left_behind_is_ended_too(running: Open, tmp_path: Path) -> None:
    house = await running(dying=ours("dying", str(tmp_path / "pids"), "leaving-a-child"))
    await house.ready("dying")
    program, child = pids(tmp_path / "pids")
    os.kill(program, signal.SIGKILL)
    await until(lambda: not alive(child), "its end")


async def test_starting_keeps_nobody_waiting(running: Open, tmp_path: Path) -> None:
    async with asyncio.timeout(5):
        house = await running(slow=ours("slow", str(tmp_path / "noted"), "starting"))
    assert house.one("slow").condition == "starting"


@pytest.mark.parametrize(
    ("entry", "category"),
    [
        ({"command": "no-such-program-anywhere"}, "not_found"),
        ({"command": sys.executable, "args": ["-c", "print('hello')"]}, "server"),
        ({"command": sys.executable, "cwd": "/no/such/folder"}, "not_found"),
        ({"command": ""}, "validation"),
        ({"command": sys.executable, "env": {"NOT A NAME": "x"}}, "validation"),
        ({"url": "ftp://example.com/mcp"}, "validation"),
        ({"url": "https://ada:secret@example.com/mcp"}, "validation"),
        ({"url": "https://example.com/mcp", "headers": {"X": "a\r\nB: c"}}, "validation"),
        ({"url": "https://example.com/sse", "type": "sse"}, "validation"),
        ({}, "validation"),
    ],
)
async def test_an_entry_that_cannot_be_used_says_why(entry: dict[str, object], category: str, running: Open) -> None:
    house = await running(odd=entry)
    server = await house.settled("odd")
    assert server.problem
    assert (server.condition, server.problem.category) == ("failing", category)
    assert all(text.strip() for language in ("en", "he") for text in server.problem.to(language))


# -- following the settings --------------------------------------------------------------------


async def test_the_file_is_followed_and_what_has_not_changed_goes_on(running: Open, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    house = await running(one=ours("dying", str(one)), two=ours("dying", str(two)))
    await house.ready("one")
    await house.ready("two")
    house.write(one=ours("dying", str(one)), three=ours("dying", str(two)))
    await house.servers.reload()
    await house.ready("three")
    assert [each.name for each in house.servers] == ["one", "three"]
    assert (len(pids(one)), len(pids(two))) == (1, 2)
    await until(lambda: not alive(pids(two)[0]), "the end of the second")


async def test_a_file_that_cannot_be_read_is_said_and_ends_nothing_of_the_page(running: Open, tmp_path: Path) -> None:
    house = await running()
    await house.servers.add(draft(file=tmp_path / "pids"))
    (house.home / FILE).write_text("{ no json", encoding="utf-8")
    await house.servers.reload()
    assert house.servers.problem
    assert FILE in house.servers.problem.why.en
    assert house.servers.health()[0].state == "amber"
    assert (await house.ready("dying")).name == "dying"
    house.write()
    await house.servers.reload()
    assert house.servers.problem is None


async def test_one_of_the_file_can_be_off_here(running: Open, tmp_path: Path) -> None:
    house = await running(dying=ours("dying", str(tmp_path / "pids")))
    server = await house.ready("dying")
    await house.servers.switch(server.configured.id, False)
    await house.servers.reload()
    assert house.one("dying").condition == "off"
    with pytest.raises(PalimpsestError):
        await house.servers.remove(server.configured.id)
    await house.servers.switch(server.configured.id, True)
    await house.ready("dying")


async def test_disabled_in_the_file_is_off_until_it_is_switched_on(running: Open, tmp_path: Path) -> None:
    command, arguments = ours("dying", str(tmp_path / "pids"))
    house = await running(dying={"command": command, "args": arguments, "disabled": True})
    assert house.one("dying").condition == "off"
    assert pids(tmp_path / "pids") == []
    await house.servers.switch(house.one("dying").configured.id, True)
    await house.ready("dying")


async def test_what_was_typed_is_there_at_the_next_start_and_its_secrets_are_encrypted(
    running: Open, tmp_path: Path
) -> None:
    house = await running()
    added = await house.servers.add(draft(file=tmp_path / "pids", env={"KEY": SecretStr(CANARY)}))
    assert added.env == ["KEY"]
    assert CANARY not in added.model_dump_json()
    await house.ready("dying")
    assert f"KEY={CANARY}" in (await house.call("dying", "environment")).text
    await house.servers.stop()
    files = [path for path in house.home.rglob("*") if path.is_file()]
    assert [path.name for path in files if CANARY.encode() in path.read_bytes()] == []
    again = await running()
    await again.ready("dying")
    assert f"KEY={CANARY}" in (await again.call("dying", "environment")).text


async def test_a_secret_stays_when_it_is_not_typed_again_and_does_not_follow_elsewhere(
    running: Open, tmp_path: Path
) -> None:
    house = await running()
    file = tmp_path / "pids"
    added = await house.servers.add(draft(file=file, env={"KEY": SecretStr(CANARY)}))
    await house.servers.edit(added.id, draft("renamed", file=file, env={"KEY": None, "OTHER": SecretStr("x")}))
    await house.ready("renamed")
    told = (await house.call("renamed", "environment")).text
    assert f"KEY={CANARY}" in told
    assert "OTHER=x" in told
    with pytest.raises(PalimpsestError) as moved:
        await house.servers.edit(added.id, draft("renamed", file=file, command="other", env={"KEY": None}))
    assert moved.value.problem.category == "validation"
    remote = ServerDraft(name="remote", url="https://a.example.com/mcp", headers={"Authorization": SecretStr(CANARY)})
    kept = await house.servers.add(remote)
    moved_away = remote.model_copy(update={"url": "https://b.example.com/mcp", "headers": {"Authorization": None}})
    with pytest.raises(PalimpsestError):
        await house.servers.edit(kept.id, moved_away)
    with pytest.raises(PalimpsestError):
        await house.servers.try_out(moved_away, kept.id)


async def test_removing_stops_at_once_and_can_be_undone_for_a_while(running: Open, tmp_path: Path) -> None:
    house = await running()
    added = await house.servers.add(draft(file=tmp_path / "pids", env={"KEY": SecretStr(CANARY)}))
    await house.ready("dying")
    await house.servers.remove(added.id)
    assert list(house.servers) == []
    await until(lambda: not alive(pids(tmp_path / "pids")[0]), "its end")
    await house.servers.restore(added.id)
    await house.ready("dying")
    assert f"KEY={CANARY}" in (await house.call("dying", "environment")).text
    await house.servers.remove(added.id)
    await house.servers.keep_up(-1)
    with pytest.raises(PalimpsestError) as gone:
        await house.servers.restore(added.id)
    assert gone.value.problem.category == "not_found"


async def test_trying_keeps_nothing(running: Open, tmp_path: Path) -> None:
    house = await running()
    seen = await house.servers.try_out(draft(file=tmp_path / "pids"))
    assert seen.state == "ready"
    assert {each.name for each in seen.offered.tools} == {"die", "environment", "echo"}
    assert list(house.servers) == []
    await until(lambda: not alive(pids(tmp_path / "pids")[0]), "its end")
    failing = await house.servers.try_out(ServerDraft(name="x", command="no-such-program-anywhere"))
    assert failing.state == "failing"
    assert failing.problem


async def test_names_tell_servers_apart(running: Open, tmp_path: Path) -> None:
    house = await running(dying=ours("dying", str(tmp_path / "pids")))
    for name in ("Dying", " dying ", "", "x" * 61, "a\nb\u202e"):
        with pytest.raises(PalimpsestError) as refused:
            await house.servers.add(draft(name, file=tmp_path / "pids"))
        assert refused.value.problem.category == "validation"


@pytest.mark.parametrize(("setting", "file", "page"), [("off", 0, False), ("file", 1, False), ("page", 1, True)])
async def test_the_setting_says_where_servers_may_be_set(
    setting: str, file: int, page: bool, running: Open, tmp_path: Path
) -> None:
    first = await running()
    await first.servers.add(draft("typed", file=tmp_path / "typed"))
    await first.ready("typed")
    await first.servers.stop()
    house = await running({"tool_servers": setting}, dying=ours("dying", str(tmp_path / "pids")))
    names = [each.name for each in house.servers]
    assert names == ["dying"] * file + ["typed"] * page
    if not page:
        for attempt in (
            house.servers.add(draft("more", file=tmp_path / "x")),
            house.servers.try_out(draft(file=tmp_path / "x")),
        ):
            with pytest.raises(PalimpsestError) as refused:
                await attempt
            assert refused.value.problem.category == "validation"


async def test_one_with_the_name_of_our_own_does_not_take_its_place(running: Open) -> None:
    class Ours:
        name = "memory"

        def tools(self) -> list[Tool]:
            return []

        async def start(self) -> None: ...

        async def stop(self) -> None: ...

    house = await running()
    ours_first = Ours()
    await house.registry.register(ours_first, own=True)
    house.write(memory=ours("lying"))
    await house.servers.reload()
    servers = {each.server.name: each for each in house.registry.servers}
    assert servers["memory"].server is ours_first
    assert not servers["memory (MCP)"].own
    await servers["memory (MCP)"].server.settled()  # type: ignore[attr-defined]
    assert {each.server for each in house.registry.all()} == {"memory (MCP)"}


async def test_the_registry_knows_of_each_how_it_is(running: Open, tmp_path: Path) -> None:
    house = await running(lying=ours("lying"), none={"command": "no-such-program-anywhere"})
    await house.ready("lying")
    await house.settled("none")
    told = {each.server.name: (each.state, each.trouble is None) for each in house.registry.servers}
    assert told == {"lying": ("up", True), "none": ("down", False)}
    found = house.registry.find("lying_loop")
    assert found
    assert not found.own


async def test_two_servers_with_the_same_tools_are_called_apart(running: Open) -> None:
    house = await running(Time=published("mcp_server_time"), time=published("mcp_server_time"))
    await house.ready("Time")
    await house.ready("time")
    names = [tool.definition.name for server in house.servers for tool in server.tools()]
    assert len(set(names)) == len(names) == 4


async def test_pages_are_told_when_something_changes(running: Open, tmp_path: Path) -> None:
    house = await running(dying=ours("dying", str(tmp_path / "pids")))
    await house.ready("dying")
    seen = house.servers.revision
    waiting = asyncio.create_task(house.servers.news(seen, 60))
    await asyncio.sleep(0)
    assert not waiting.done()
    await house.servers.switch(house.one("dying").configured.id, False)
    async with asyncio.timeout(5):
        await waiting
    assert house.servers.revision > seen


async def test_the_health_of_servers_is_part_of_ours(running: Open, tmp_path: Path) -> None:
    house = await running()
    assert house.servers.health() == []
    house.write(dying=ours("dying", str(tmp_path / "pids")), none={"command": "no-such-program-anywhere"})
    await house.servers.reload()
    await house.ready("dying")
    await house.settled("none")
    part = house.servers.health()[0]
    assert part.state == "amber"
    assert "none" in part.meaning.en
    assert "dying" not in part.meaning.en


def test_the_file_has_the_usual_form(tmp_path: Path) -> None:
    """Keys in the configuration file that only other programs use are ignored."""
    from core.tools.mcp.configuration import Launch, Remote, read_file

    (tmp_path / FILE).write_text(
        json.dumps(
            {
                "mcpServers": {
                    "files": {"command": "npx", "args": ["-y", "x"], "env": {"A": "1"}, "autoApprove": ["read"]},
                    "remote": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "x"}},
                },
                "inputs": [],
            }
        ),
        encoding="utf-8",
    )
    entries = read_file(tmp_path / FILE)
    assert isinstance(entries["files"].reached, Launch)
    assert isinstance(entries["remote"].reached, Remote)
    assert "x" not in repr(entries["remote"].reached.headers)
    assert read_file(tmp_path / "nothing.json") == {}
