"""Tests calling tools: order, timeouts, fallbacks, loops, circuit breakers; a tool failure raises no exception."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.errors import Category, fail
from core.tools.execution import TIER_SECONDS, SentCall, timeout_of
from core.tools.loop_guard import LoopGuard
from core.tools.tool import ToolResult
from tests.core.tools.made import ADA, Made, call, definition, with_tools

SERVER_DOWN = RuntimeError("503 service unavailable")


async def test_calls_run_beside_each_other_and_end_in_their_order(tmp_path: Path) -> None:
    gate = asyncio.Event()

    def opens() -> ToolResult:
        gate.set()
        return ToolResult(text="fast")

    slow, fast = Made(definition("slow"), [gate]), Made(definition("fast"), [opens])
    tools = await with_tools(tmp_path, slow, fast)
    outcomes = await tools.run([call("slow", "a", query="x"), call("fast", "b", query="y")], ADA)
    assert [each.call_id for each in outcomes] == ["a", "b"]
    assert [each.result.text for each in outcomes if each.result] == ["waited", "fast"]


async def test_a_failure_falls_back_with_the_arguments_as_they_were_sent(tmp_path: Path) -> None:
    first = Made(definition("first", fallbacks=["second"]), [SERVER_DOWN])
    second = Made(definition("second"), [ToolResult(text="second")])
    tools = await with_tools(tmp_path, first, second)
    (outcome,) = await tools.run([SentCall("c", "first", {"q": "rates", "n": "7", "other": 1})], ADA)
    assert outcome.result is not None
    assert outcome.result.text == "second"
    assert (outcome.asked, outcome.tool) == ("first", "second")
    assert second.calls == [{"query": "rates", "limit": 7}]
    assert [(each.name, each.result) for each in outcome.runs] == [("first", "error"), ("second", "ok")]


@pytest.mark.parametrize("category", ["timeout", "connection", "not_found", "rate_limit", "server", "unknown"])
async def test_all_that_may_be_made_good_falls_back(tmp_path: Path, category: Category) -> None:
    first = Made(definition("first", fallbacks=["missing", "second"]), [fail(category, f"errors.{category}")])
    second = Made(definition("second"))
    tools = await with_tools(tmp_path, first, second)
    (outcome,) = await tools.run([call("first", query="x")], ADA)
    assert outcome.result is not None


@pytest.mark.parametrize("error", [fail("auth", "errors.auth"), RuntimeError("401 unauthorized"), PermissionError()])
async def test_missing_permission_never_falls_back(tmp_path: Path, error: Exception) -> None:
    first, second = Made(definition("first", fallbacks=["second"]), [error]), Made(definition("second"))
    tools = await with_tools(tmp_path, first, second)
    (outcome,) = await tools.run([call("first", query="x")], ADA)
    assert outcome.problem is not None
    assert outcome.problem.category == "auth"
    assert second.calls == []


async def test_where_everything_failed_the_first_failure_is_told(tmp_path: Path) -> None:
    first = Made(definition("first", fallbacks=["second", "third"]), [fail("rate_limit", "errors.rate_limit")])
    second = Made(definition("second"), [fail("auth", "errors.auth")])
    third = Made(definition("third"), [SERVER_DOWN])
    tools = await with_tools(tmp_path, first, second, third)
    (outcome,) = await tools.run([call("first", query="x")], ADA)
    assert outcome.problem is not None
    assert outcome.problem.category == "rate_limit"
    assert [each.name for each in outcome.runs] == ["first", "second", "third"]


async def test_a_call_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    latency = {"tier": "fast", "timeout": 0.05}
    slow = Made(definition("slow", latency=latency), [asyncio.Event()])
    tools = await with_tools(tmp_path, slow)
    (outcome,) = await tools.run([call("slow", query="x")], ADA)
    assert outcome.problem is not None
    assert outcome.problem.category == "timeout"
    assert outcome.runs[0].result == "timeout"


def test_a_tools_own_time_goes_before_its_tiers() -> None:
    assert timeout_of(definition("any", latency={"tier": "slow"})) == TIER_SECONDS["slow"] == 120
    assert timeout_of(definition("any", latency={"tier": "very_slow"})) == 300
    assert timeout_of(definition("any", latency={"tier": "fast"})) == 10
    assert timeout_of(definition("any", latency={"tier": "medium"})) == 60
    assert timeout_of(definition("any", latency={"tier": "medium", "timeout": 30})) == 30


async def test_three_calls_alike_run_and_the_fourth_is_a_loop(tmp_path: Path) -> None:
    made = Made(definition("made"))
    tools, guard = await with_tools(tmp_path, made), LoopGuard()
    for arguments in ({"query": "x"}, {"q": " x "}, {"text": "x", "n": "5"}):
        (outcome,) = await tools.run([SentCall("c", "made", arguments)], ADA, guard)
        assert outcome.result is not None
    (other,) = await tools.run([call("made", query="y")], ADA, guard)
    assert other.result is not None
    assert not guard.looped
    (fourth,) = await tools.run([call("made", query="x")], ADA, guard)
    assert fourth.looped
    assert guard.looped
    assert fourth.problem is not None
    assert len(made.calls) == 4


async def test_calls_of_one_question_are_one_failure_for_the_breaker(tmp_path: Path) -> None:
    made = Made(definition("made"), [SERVER_DOWN])
    tools = await with_tools(tmp_path, made)
    for expected in ("server", "server", "server", "connection"):
        outcomes = await tools.run([call("made", f"c{n}", query=str(n)) for n in range(3)], ADA)
        assert {each.problem.category for each in outcomes if each.problem} == {expected}
    assert len(made.calls) == 9
    assert "is paused" in outcomes[0].problem.why.en  # type: ignore[union-attr]


async def test_one_good_answer_of_several_keeps_the_breaker_closed(tmp_path: Path) -> None:
    made = Made(definition("made"), [SERVER_DOWN, ToolResult(text="x")] * 5)
    tools = await with_tools(tmp_path, made)
    for _ in range(4):
        outcomes = await tools.run([call("made", "a", query="1"), call("made", "b", query="2")], ADA)
        assert [bool(each.result) for each in outcomes] == [False, True]


async def test_an_unknown_tool_is_told_with_those_there_are(tmp_path: Path) -> None:
    tools = await with_tools(tmp_path, Made(definition("there")))
    (outcome,) = await tools.run([call("elsewhere")], ADA)
    assert outcome.problem is not None
    assert outcome.problem.category == "not_found"
    assert "there" in outcome.problem.why.en


async def test_what_is_switched_off_is_not_called_and_does_not_fall_back(tmp_path: Path) -> None:
    first, second = Made(definition("first", fallbacks=["second"])), Made(definition("second"))
    tools = await with_tools(tmp_path, first, second, tools={"off": ["first"]})
    (outcome,) = await tools.run([call("first", query="x")], ADA)
    assert outcome.problem is not None
    assert (first.calls, second.calls) == ([], [])


async def test_a_missing_argument_is_told_and_nothing_is_called(tmp_path: Path) -> None:
    first, second = Made(definition("first", fallbacks=["second"])), Made(definition("second"))
    tools = await with_tools(tmp_path, first, second)
    (outcome,) = await tools.run([call("first", limit=3)], ADA)
    assert outcome.problem is not None
    assert outcome.problem.category == "validation"
    assert "query" in outcome.problem.why.en
    assert (first.calls, second.calls) == ([], [])


async def test_a_tool_tells_how_far_it_is_to_whoever_watches_its_call(tmp_path: Path) -> None:
    heard: list[tuple[float | None, str]] = []
    made = Made(definition("made"))
    tools = await with_tools(tmp_path, made)
    await tools.run([SentCall("c", "made", {"query": "x"}, report=lambda done, note: heard.append((done, note)))], ADA)
    made.callers[0].report(0.5, "half")
    assert heard == [(0.5, "half")]
