"""Tests the benchmark of several processes: it finds lost, partial and duplicate records, fails when its thresholds are
missed, and can be run in a shorter form."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

import httpx
import pytest

from benchmarks.report import Report
from benchmarks.several_processes import beside_reading, kills, people
from benchmarks.several_processes.forwarder import Forwarder
from benchmarks.several_processes.kills import Blow
from benchmarks.several_processes.people import Day
from benchmarks.several_processes.slow_answers import SlowAnswers, misnumbered
from benchmarks.several_processes.standing import Faults, Row, Standing, faults
from benchmarks.several_processes.visitors import Heard

NONE = Faults([], [], [])


def passage(number: int, document: str = "doc_a") -> Row:
    book = {"chunk_index": number}
    return {
        "_id": f"mem_{document}{number}", "document_id": document, "tier": "books", "indexed": True,
        "source": {"book": book},
    }  # fmt: skip


RUN = {"_id": "run_a", "kind": "question", "state": "ended", "outcome": "answered"}
WELL = Standing(
    documents=[
        {"_id": "doc_a", "filename": "a.txt", "state": "completed", "chunks": 2, "embedded": 2, "run_id": "run_b"}
    ],
    items=[passage(0), passage(1)],
    runs=[RUN],
    messages=[{"role": "user", "run_id": None}, {"role": "assistant", "run_id": "run_a"}],
    jobs=[{"_id": "job_a", "state": "completed", "attempts": 1}],
    ends=["run_a"],
    points=frozenset(["mem_doc_a0", "mem_doc_a1"]),
)
DOCUMENT = WELL.documents[0]


def test_what_is_whole_has_no_fault() -> None:
    assert WELL.at_rest
    assert not faults(WELL, ["a.txt"], ["run_a"])


def test_a_question_that_was_asked_back_is_neither_lost_nor_half() -> None:
    asked_back = replace(WELL, runs=[{**RUN, "state": "waiting", "outcome": None}], messages=[], ends=[])
    assert not faults(asked_back, ["a.txt"], ["run_a"])


def test_why_a_file_was_not_read_is_said() -> None:
    problem = {"what": {"en": "It was not read."}, "why": {"en": "It is empty."}}
    failed = replace(WELL, documents=[{**DOCUMENT, "state": "failed", "problem": problem}])
    assert "It was not read. It is empty." in faults(failed, ["a.txt"], ["run_a"]).half[0]


@pytest.mark.parametrize(
    ("standing", "kinds"),
    [
        (replace(WELL, documents=[], items=[], points=frozenset()), ["lost"]),
        (replace(WELL, documents=[{**DOCUMENT, "state": "failed"}]), ["lost", "half"]),
        (replace(WELL, runs=[], messages=[], ends=[]), ["lost"]),
        (replace(WELL, runs=[{**RUN, "state": "running"}], ends=[]), ["lost", "half"]),
        (replace(WELL, ends=[]), ["half"]),
        (replace(WELL, documents=[{**DOCUMENT, "embedded": 1}]), ["half"]),
        (replace(WELL, points=frozenset(["mem_doc_a0"])), ["half"]),
        (replace(WELL, points=WELL.points | {"mem_ghost"}), ["half"]),
        (replace(WELL, items=[*WELL.items, passage(0, "doc_b")], points=WELL.points | {"mem_doc_b0"}), ["half"]),
        (replace(WELL, jobs=[{"_id": "job_a", "state": "failed", "attempts": 3}]), ["half"]),
        (replace(WELL, ends=["run_a", "run_a"]), ["doubled"]),
        (replace(WELL, messages=[*WELL.messages, WELL.messages[1]]), ["doubled"]),
        (replace(WELL, items=[passage(0), {**passage(1), "source": {"book": {"chunk_index": 0}}}]), ["doubled"]),
        (
            replace(WELL, documents=[DOCUMENT, {**DOCUMENT, "_id": "doc_b", "chunks": 0, "embedded": 0}]),
            ["half", "doubled"],
        ),
    ],
)
def test_what_is_lost_half_or_doubled_is_found(standing: Standing, kinds: list[str]) -> None:
    found = faults(standing, ["a.txt"], ["run_a"])
    assert [kind for kind in ("lost", "half", "doubled") if getattr(found, kind)] == kinds


@pytest.mark.parametrize(
    "standing",
    [
        replace(WELL, jobs=[{"_id": "job_a", "state": "processing", "attempts": 1}]),
        replace(WELL, runs=[{**RUN, "state": "running", "outcome": None}]),
        replace(WELL, runs=[RUN, {"_id": "run_b", "kind": "ingestion", "state": "running", "outcome": None}]),
        replace(WELL, items=[{**passage(0), "indexed": False}, passage(1)]),
        replace(WELL, documents=[{**DOCUMENT, "embedded": 1}]),
    ],
)
def test_whoever_works_on_is_waited_for(standing: Standing) -> None:
    assert not standing.at_rest


def test_a_run_that_no_document_names_is_nobodys() -> None:
    given_up = {"_id": "run_c", "kind": "ingestion", "state": "running", "outcome": None}
    standing = replace(WELL, runs=[RUN, given_up])
    assert standing.at_rest
    assert not faults(standing, ["a.txt"], ["run_a"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("word1 word2 word3", (0, 0)),
        ("<p>word1 word2</p>", (0, 0)),
        ("word1 word3", (1, 0)),
        ("word1 word2 word2", (0, 1)),
        ("word2 word1", (0, 1)),
        ("nothing yet", (0, 0)),
    ],
)
def test_a_word_that_is_missing_or_there_twice_is_seen(text: str, found: tuple[int, int]) -> None:
    assert misnumbered(text) == found


def test_the_worst_that_a_reader_saw_counts() -> None:
    heard = Heard("ada")
    for text in ("word1", "word1 word3", "word1 word2 word3"):
        heard.read(text)
    assert (heard.lost, heard.doubled) == (1, 0)


def failed(report: Report) -> list[str]:
    return [figure.name for figure in report.figures if not figure.passes]


def blow(settled: float = 25.0, asked_on: float = 4.0, found: Faults = NONE) -> Blow:
    return Blow("worker 1 killed", "worker killed", settled, asked_on, found)


def test_kills_fail_by_what_is_lost_and_by_what_goes_on_too_late() -> None:
    def made(*blows: Blow, heard: Heard | None = None) -> list[str]:
        return failed(kills.report(blows, WELL, [heard or Heard("ada")]))

    assert made(blow(), blow(29.9)) == []
    assert made(blow(), blow(30.1)) == ["settled: slowest, seconds left of 30"]
    assert made(blow(asked_on=31.0)) == ["asked_on: slowest, seconds left of 30"]
    once = blow(found=Faults(["file a.txt"], [], []))
    assert made(once, once) == ["lost (negated)"]
    assert made(blow(), heard=Heard("ada", doubled=1)) == ["words doubled in streams (negated)"]


def test_questions_beside_reading_fail_when_they_take_a_third_longer() -> None:
    quiet = [1.0] * 20
    assert failed(beside_reading.report(beside_reading.Waits(quiet, [1.29] * 20), 10)) == []
    assert len(failed(beside_reading.report(beside_reading.Waits(quiet, [1.31] * 20), 10))) == 1


def test_people_fail_by_late_beginnings_and_broken_streams_unless_something_was_killed() -> None:
    def made(*heard: Heard, strikes: int = 0, found: Faults = NONE) -> list[str]:
        day = Day(heard=list(heard), strikes=["Redis killed"] * strikes)
        return failed(people.report(day, WELL, found, 1, 1.0))

    well = Heard("ada", first=0.2, outcome="answered")
    assert made(well) == []
    assert made(replace(well, first=0.4)) == ["p95, seconds left of 0.3"]
    assert made(replace(well, broken=True)) == ["broken off (negated)"]
    assert made(replace(well, broken=True, first=3.0), strikes=1) == []
    assert made(replace(well, lost=1), strikes=1) == ["words lost (negated)"]
    assert made(well, found=Faults([], [], ["run_a"]), strikes=1) == ["doubled (negated)"]


@pytest.fixture
async def echoing() -> AsyncIterator[int]:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line)
        writer.close()

    async with await asyncio.start_server(echo, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def test_what_was_sent_in_silence_comes_when_it_is_over(echoing: int) -> None:
    async with Forwarder(echoing) as forwarder:
        reader, writer = await asyncio.open_connection("127.0.0.1", forwarder.port)
        writer.write(b"before\n")
        assert await reader.readline() == b"before\n"
        forwarder.silence()
        writer.write(b"meanwhile\n")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(read := asyncio.ensure_future(reader.readline())), 0.2)
        forwarder.restore()
        assert await read == b"meanwhile\n"
        writer.close()


async def test_a_connection_that_is_cut_ends_and_none_is_made_until_it_is_restored(echoing: int) -> None:
    async def said(forwarder: Forwarder) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", forwarder.port)
        writer.write(b"here\n")
        try:
            return await reader.readline()
        except ConnectionError:
            return b""
        finally:
            writer.close()

    async with Forwarder(echoing) as forwarder:
        reader, _ = await asyncio.open_connection("127.0.0.1", forwarder.port)
        assert await said(forwarder) == b"here\n"
        forwarder.cut()
        with suppress(ConnectionError):
            assert await reader.read() == b""
        assert await said(forwarder) == b""
        forwarder.restore()
        assert await said(forwarder) == b"here\n"


async def test_the_model_numbers_its_words() -> None:
    model = SlowAnswers(words=3, seconds=0.0)
    async with model.server() as server, httpx.AsyncClient() as client:
        asked = {"messages": [{"role": "user", "content": "Well?"}]}
        reply = await client.post(f"{server.url}/v1/chat/completions", json=asked)
    assert misnumbered(reply.text) == (0, 0)
    assert "word3" in reply.text
    assert "word4" not in reply.text
