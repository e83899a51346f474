"""Tests that streams of a model client are recorded and replayed, and that every recording in the test suite can be
read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from core.errors import PalimpsestError
from core.models.chat import ChatModels, StreamedPiece
from core.models.replay.chat import ReplayedChat
from core.models.replay.recording import RecordedCall, Recording, request_digest
from core.models.stream import stream_answer
from core.resilience.dependencies import Deadline
from core.settings import Settings
from tests.contract.providers.test_providers import KEY, QUESTION, SEARCH
from tests.contract.providers.wire import WIRES, Wire
from tests.recordings.record import FOLDER
from tests.servers.local import LocalServer


async def streamed(models: ChatModels, tools: bool) -> list[StreamedPiece]:
    offered = (SEARCH,) if tools else ()
    pieces = [piece async for piece in models.stream(None, QUESTION, tools=offered)]
    await models.close()
    return pieces


def replaying(file: Path, pace: float = 0) -> ChatModels:
    return ChatModels(Settings(_env_file=None, model=f"replay:{file}", model_replay_pace=pace))  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["answer", "tools", "thinking", "cut_off"])
@pytest.mark.parametrize("wire", WIRES.values(), ids=list(WIRES))
async def test_each_providers_stream_comes_again(
    wire: Wire, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "thinking" and not wire.thinks:
        name = "answer"
    file, tools = tmp_path / "calls.jsonl", name == "tools"
    async with LocalServer([wire.reply(name)]) as server:
        monkeypatch.setenv(wire.base, server.url + wire.root)
        given = {"model": wire.model, "model_record": file, "model_tools": True, wire.key: KEY}
        first = await streamed(ChatModels(Settings(_env_file=None, **given)), tools)  # type: ignore[arg-type]
    again = await streamed(replaying(file), tools)
    assert [piece for piece in again if piece.kind != "usage"] == [piece for piece in first if piece.kind != "usage"]
    assert (again[-1].tokens_in, again[-1].tokens_out, again[-1].cut_off) == (
        first[-1].tokens_in,
        first[-1].tokens_out,
        first[-1].cut_off,
    )
    assert KEY not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.jsonl")), ids=lambda file: file.stem)
async def test_every_recorded_call_is_read_to_its_end(file: Path) -> None:
    """Includes recordings made with a real provider, even if the prompts have changed since."""
    for call in Recording(file).calls():
        pieces = [piece async for piece in read(call)]
        assert pieces[-1].kind == "usage"
        assert any(piece.text.strip() or piece.calls for piece in pieces)


async def read(call: RecordedCall) -> AsyncGenerator[StreamedPiece, None]:
    question = [HumanMessage("?")]
    here = call.model_copy(update={"request": request_digest(question, [])})
    model = ReplayedChat(recording=_Given([here]), pace=0)
    async for piece in stream_answer(model, question, Deadline(10)):
        yield piece


class _Given(Recording):
    def __init__(self, calls: list[RecordedCall]) -> None:
        self._calls = calls

    def calls(self) -> Iterator[RecordedCall]:
        yield from self._calls


def write(file: Path, *answers: str) -> None:
    for after, text in enumerate(answers):
        chunk = {"after": after / 10, "message": {"content": text}}
        call = {"request": request_digest(QUESTION, []), "model": "m", "capabilities": {}, "chunks": [chunk]}
        Recording(file).append(RecordedCall.model_validate(call))


async def test_a_repeated_request_is_answered_in_order_and_then_by_the_last(tmp_path: Path) -> None:
    write(tmp_path / "calls.jsonl", "one", "two")
    models = replaying(tmp_path / "calls.jsonl")
    said = [await first_text(models) for _ in range(3)]
    assert said == ["one", "two", "two"]


async def first_text(models: ChatModels) -> str:
    model = models.get(None, "inquire")
    pieces = [piece async for piece in stream_answer(model, QUESTION, Deadline(5))]
    return pieces[0].text


async def test_the_recorded_pace_is_kept(tmp_path: Path) -> None:
    write(tmp_path / "calls.jsonl", "at once", "after a tenth")
    began = asyncio.get_running_loop().time()
    models = replaying(tmp_path / "calls.jsonl", pace=2)
    assert [await first_text(models) for _ in range(2)] == ["at once", "after a tenth"]
    assert asyncio.get_running_loop().time() - began >= 0.2


def test_ids_days_and_times_do_not_make_another_request() -> None:
    one = "On Tuesday, 2026-11-24 at 2026-11-24T10:00:00Z of 0f8fad5b-d9cb-469f-a165-70867728950e:  560 shekels"
    other = "On Thursday, 2025-01-02 at 2025-01-02T23:59:59Z of 7c9e6679-7425-40de-944b-e07fc1f90ae7: 560 shekels"
    assert request_digest([HumanMessage(one)], []) == request_digest([HumanMessage(other)], [])
    assert request_digest([HumanMessage(one)], []) != request_digest([HumanMessage(one)], ["search_memory"])
    assert request_digest([HumanMessage(one)], []) != request_digest([SystemMessage(one)], [])
    assert request_digest([HumanMessage("560")], []) != request_digest([HumanMessage("561")], [])


@pytest.mark.parametrize(
    ("content", "words"), [(None, "cannot be read"), ("no json\n", "Line 1"), (json.dumps({"request": "x"}), "Line 1")]
)
async def test_a_recording_that_cannot_be_used_says_why(tmp_path: Path, content: str | None, words: str) -> None:
    file = tmp_path / "calls.jsonl"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(PalimpsestError) as caught:
        await streamed(replaying(file), tools=False)
    problem = caught.value.problem
    assert words in f"{problem.what.en} {problem.why.en}"
