"""Tests consent: which calls run, which wait for the user, and that the user's decision is stored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.store.sqlite.truth import SqliteTruth
from core.tools.definition import Effects
from core.tools.records import ToolOutcome
from core.tools.tools import Tools
from tests.core.tools.made import ADA, READING, Made, Server, call, definition, with_tools

WRITING = Effects(reads_only=False, deletes=False, sends=False, spends=False)
EVE = replace(ADA, user_id="eve")
ELSEWHERE = replace(ADA, conversation_id="conv_2")


async def of_others(folder: Path, truth: SqliteTruth, *made: Made, **settings: object) -> Tools:
    tools = await with_tools(folder, *made, own=False, truth=truth, **settings)
    await tools.ensure()
    return tools


async def ask(tools: Tools, name: str, caller=ADA, id: str = "c1") -> ToolOutcome:  # type: ignore[no-untyped-def]
    return (await tools.run([call(name, id, query="x")], caller))[0]


LOOKING = Effects(reads_only=True, sends=True, spends=True)


@pytest.mark.parametrize("profile", ["standard", "production"])
async def test_our_own_tools_read_without_asking_and_write_with_a_persons_word(
    tmp_path: Path, truth: SqliteTruth, profile: str
) -> None:
    made = Made(definition("write", effects=WRITING)), Made(definition("read", effects=LOOKING))
    tools = await with_tools(tmp_path, *made, own=True, truth=truth, profile=profile)
    assert (await ask(tools, "read")).result is not None
    wants = (await ask(tools, "write")).wants
    assert wants is not None
    assert made[0].calls == []
    await tools.decide(ADA, wants, "conversation")
    assert (await ask(tools, "write")).result is not None
    await tools.decide(ADA, wants, "never")
    assert (await ask(tools, "write")).problem is not None


@pytest.mark.parametrize("effects", [WRITING, Effects(), Effects(reads_only=True)])
async def test_what_may_change_something_waits_each_time(tmp_path: Path, truth: SqliteTruth, effects: Effects) -> None:
    write = Made(definition("write", effects=effects))
    tools = await of_others(tmp_path, truth, write)
    outcome = await ask(tools, "write")
    assert outcome.wants is not None
    assert (outcome.wants.scope, outcome.wants.arguments) == ("tool", {"query": "x", "limit": 5})
    assert write.calls == []
    await tools.decide(ADA, outcome.wants, "once")
    assert (await ask(tools, "write")).wants is not None
    agreed = (await tools.run([replace(call("write", query="x"), agreed=True)], ADA))[0]
    assert agreed.result is not None


async def test_in_this_conversation_is_in_no_other_and_nobody_elses(tmp_path: Path, truth: SqliteTruth) -> None:
    write, other = Made(definition("write", effects=WRITING)), Made(definition("delete", effects=Effects()))
    tools = await of_others(tmp_path, truth, write, other)
    wants = (await ask(tools, "write")).wants
    assert wants is not None
    await tools.decide(ADA, wants, "conversation")
    assert (await ask(tools, "write")).result is not None
    assert (await ask(tools, "delete")).wants is not None
    assert (await ask(tools, "write", ELSEWHERE)).wants is not None
    assert (await ask(tools, "write", EVE)).wants is not None
    assert (await ask(tools, "write", replace(ADA, conversation_id=None))).wants is not None
    await tools.forget_conversation("ada", "conv_1")
    assert (await ask(tools, "write")).wants is not None


async def test_never_holds_everywhere_until_it_is_taken_back(tmp_path: Path, truth: SqliteTruth) -> None:
    write = Made(definition("write", effects=WRITING))
    tools = await of_others(tmp_path, truth, write)
    wants = (await ask(tools, "write")).wants
    assert wants is not None
    await tools.decide(ADA, wants, "never")
    for caller in (ADA, ELSEWHERE):
        refused = await ask(tools, "write", caller)
        assert refused.problem is not None
        assert refused.problem.category == "auth"
    (kept,) = (await tools.view("ada")).agreements
    assert (kept.tool, kept.decision) == ("write", "never")
    assert (await tools.view("eve")).agreements == []
    await tools.withdraw("eve", kept.id)
    assert (await ask(tools, "write")).problem is not None
    await tools.withdraw("ada", kept.id)
    assert (await ask(tools, "write")).wants is not None


async def test_reading_is_agreed_to_once_a_server_and_again_when_its_tools_change(
    tmp_path: Path, truth: SqliteTruth
) -> None:
    one, two = Made(definition("one", effects=READING)), Made(definition("two", effects=READING))
    tools = await of_others(tmp_path, truth, one, two)
    wants = (await ask(tools, "one")).wants
    assert wants is not None
    assert wants.scope == "server"
    await tools.decide(ADA, wants, "always")
    for caller in (ADA, ELSEWHERE):
        assert (await ask(tools, "one", caller)).result is not None
        assert (await ask(tools, "two", caller)).result is not None
    assert (await ask(tools, "one", EVE)).wants is not None
    server = tools.registry.servers[0].server
    assert isinstance(server, Server)
    server.made.append(Made(definition("three", effects=READING)))
    again = (await ask(tools, "one")).wants
    assert again is not None
    await tools.decide(ADA, again, "always")
    assert (await ask(tools, "three")).result is not None
    assert len((await tools.view("ada")).agreements) == 1


async def test_agreeing_to_read_is_no_leave_to_write(tmp_path: Path, truth: SqliteTruth) -> None:
    tools = await of_others(tmp_path, truth, Made(definition("read")), Made(definition("write", effects=WRITING)))
    wants = (await ask(tools, "read")).wants
    assert wants is not None
    await tools.decide(ADA, wants, "always")
    assert (await ask(tools, "read")).result is not None
    assert (await ask(tools, "write")).wants is not None


async def test_in_production_nothing_acts_and_reading_is_still_asked_about(tmp_path: Path, truth: SqliteTruth) -> None:
    write, read = Made(definition("write", effects=WRITING)), Made(definition("read"))
    tools = await of_others(tmp_path, truth, write, read, profile="production")
    refused = await ask(tools, "write")
    assert refused.problem is not None
    assert refused.wants is None
    assert (await ask(tools, "read")).wants is not None
    tried = await tools.try_out("ada", "en", "write", {"query": "x"})
    assert tried.problem is not None
    assert write.calls == []
    assert not (await tools.view("ada")).acting


async def test_a_stand_in_that_nobody_agreed_to_is_passed_over(tmp_path: Path, truth: SqliteTruth) -> None:
    first = Made(definition("first", "ours", fallbacks=["second", "third"]), [RuntimeError("500")])
    third = Made(definition("third", "ours"))
    second = Made(definition("second", "theirs", effects=WRITING))
    tools = await with_tools(tmp_path, first, third, own=True, truth=truth)
    await tools.ensure()
    await tools.registry.register(Server("theirs", [second]))
    outcome = await ask(tools, "first")
    assert outcome.result is not None
    assert outcome.tool == "third"
    assert second.calls == []


async def test_trying_a_tool_out_is_agreeing_to_it(tmp_path: Path, truth: SqliteTruth) -> None:
    write = Made(definition("write", effects=WRITING))
    tools = await of_others(tmp_path, truth, write)
    outcome = await tools.try_out("ada", "en", "write", {"q": "x"})
    assert outcome.result is not None
    assert [each.en for each in outcome.warnings] == ["“q” was interpreted as “query”."]
