from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from itertools import count

import pytest

from core.errors import PalimpsestError
from core.events import (
    Answered,
    AssistantDelta,
    Choice,
    Entry,
    Event,
    Failure,
    Heartbeat,
    Interrupted,
    RunCompleted,
    RunCreated,
    StepDetail,
)
from core.ids import new_id
from core.runs.ledger import RunLedger
from core.runs.records import Run
from core.runs.runner import Runner, RunWriter, coalesce
from core.runs.trace import Trace
from core.setting_groups import Jobs
from core.store.lease import Lease, writing_under
from core.store.sqlite.truth import SqliteTruth
from core.words import Words
from tests.core.runs.conftest import Clock
from viz.trace import TraceView


async def collect(ledger: RunLedger, run_id: str, user_id: str = "ada", after: int = 0) -> list[Entry]:
    """Collects events without heartbeats, which occur on a slow machine and repeat a sequence number."""
    entries = [entry async for entry in ledger.tail(user_id, run_id, after)]
    return [entry for entry in entries if not isinstance(entry.event, Heartbeat)]


def kinds(entries: list[Entry]) -> list[str]:
    return [entry.event.type for entry in entries]


async def test_who_follows_a_run_of_this_process_asks_the_truth_for_none_of_its_events(
    ledger: RunLedger, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    read = ledger.entries

    async def counted(user_id: str, run_id: str, after: int = 0) -> list[Entry]:
        found = await read(user_id, run_id, after)
        asked.append(len(found))
        return found

    async def work(writer: RunWriter) -> str:
        writer.emit(AssistantDelta(text="so"))
        return "answered"

    monkeypatch.setattr(ledger, "entries", counted)
    run = await ledger.start("ada", "question", "count")
    task = Runner(ledger, jobs).start(run, work)
    told = await collect(ledger, run.id)
    await task
    assert (kinds(told)[0], kinds(told)[-1], sum(asked)) == ("run.created", "run.completed", 0)


async def test_a_tail_sees_what_another_process_writes_in_between(
    ledger: RunLedger, truth: SqliteTruth, clock: Clock, jobs: Jobs
) -> None:
    other = RunLedger(truth, clock, new_id, "another process", jobs)
    run = await ledger.start("ada", "question", "count")
    await ledger.append(run, 2, [AssistantDelta(text="one ")])
    await other.append(run, 3, [AssistantDelta(text="two ")])
    await ledger.append(run, 4, [AssistantDelta(text="three"), RunCompleted(outcome="answered")])
    assert [entry.sequence for entry in await collect(ledger, run.id)] == [1, 2, 3, 4, 5]
    assert [entry.sequence for entry in await collect(ledger, run.id, after=3)] == [4, 5]


async def test_a_tail_sees_everything_in_order_and_ends_with_the_run(ledger: RunLedger, jobs: Jobs) -> None:
    async def work(writer: RunWriter) -> str:
        for word in ("one ", "two ", "three"):
            writer.emit(AssistantDelta(text=word))
            await asyncio.sleep(0.02)
        return "answered"

    run = await ledger.start("ada", "question", "count")
    task = Runner(ledger, jobs).start(run, work)
    entries = await collect(ledger, run.id)
    await task

    assert kinds(entries)[0] == "run.created"
    assert kinds(entries)[-1] == "run.completed"
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
    assert "".join(e.event.text for e in entries if isinstance(e.event, AssistantDelta)) == "one two three"


async def test_a_second_tail_from_the_middle_gets_the_rest(ledger: RunLedger, jobs: Jobs) -> None:
    go_on = asyncio.Event()

    async def work(writer: RunWriter) -> str:
        writer.emit(AssistantDelta(text="before"))
        await go_on.wait()
        writer.emit(AssistantDelta(text="after"))
        return "answered"

    run = await ledger.start("ada", "question", "q")
    task = Runner(ledger, jobs).start(run, work)
    async for entry in ledger.tail("ada", run.id):
        if isinstance(entry.event, AssistantDelta):
            seen = entry.sequence
            break
    go_on.set()
    rest = await collect(ledger, run.id, after=seen)
    await task
    assert [e.event.text for e in rest if isinstance(e.event, AssistantDelta)] == ["after"]


async def test_a_run_that_ends_between_two_reads_of_a_tail_still_says_its_end(
    ledger: RunLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await ledger.start("ada", "question", "q")
    seen = await ledger.next_sequence(run.id) - 1
    get, reads = ledger.get, 0

    async def ends_before_it_is_read(user_id: str, run_id: str) -> Run:
        nonlocal reads
        reads += 1
        if reads == 2:
            await ledger.append(run, seen + 1, [AssistantDelta(text="all"), RunCompleted(outcome="answered")])
            await ledger.end(run, "answered")
        return await get(user_id, run_id)

    monkeypatch.setattr(ledger, "get", ends_before_it_is_read)
    entries = await collect(ledger, run.id, after=seen)

    assert kinds(entries) == ["assistant.delta", "run.completed"]


async def test_a_tail_of_an_ended_run_that_is_wholly_seen_ends(ledger: RunLedger) -> None:
    run = await ledger.start("ada", "question", "q")
    await ledger.append(run, 2, [RunCompleted(outcome="answered")])
    await ledger.end(run, "answered")

    assert await collect(ledger, run.id, after=2) == []


async def test_silence_brings_heartbeats_that_are_not_kept(ledger: RunLedger, jobs: Jobs) -> None:
    go_on = asyncio.Event()

    async def work(writer: RunWriter) -> str:
        await go_on.wait()
        return "answered"

    run = await ledger.start("ada", "question", "q")
    task = Runner(ledger, jobs).start(run, work)
    async for entry in ledger.tail("ada", run.id):
        if isinstance(entry.event, Heartbeat):
            go_on.set()
            break
    await task
    assert "heartbeat" not in kinds(await ledger.entries("ada", run.id))


async def test_the_deltas_of_an_ended_run_are_folded_into_one(ledger: RunLedger, jobs: Jobs) -> None:
    async def work(writer: RunWriter) -> str:
        for letter in "abc":
            writer.emit(AssistantDelta(text=letter))
            await asyncio.sleep(0.03)
        return "answered"

    run = await ledger.start("ada", "question", "q")
    await Runner(ledger, jobs).start(run, work)
    deltas = [e.event for e in await ledger.entries("ada", run.id) if isinstance(e.event, AssistantDelta)]
    assert deltas == [AssistantDelta(text="abc")]


async def test_of_the_counts_of_an_ended_run_the_last_of_each_step_is_kept(ledger: RunLedger, jobs: Jobs) -> None:
    """Only the last progress count of each step is stored. The display stays the same, also for a client that has
    already received a part."""

    async def work(writer: RunWriter) -> str:
        trace = Trace(writer.emit)
        for name in ("extracting", "embedding"):
            with trace.step(name) as step:
                for done in range(1, 101):
                    step.detail(Words.alike(f"{done} of 100"), done, 100)
        return "completed"

    run = await ledger.start("ada", "ingestion", "doc")
    heard: list[Event] = []
    ledger.listen(lambda _, events, at: heard.extend(events))
    await Runner(ledger, jobs).start(run, work)
    kept = await ledger.entries("ada", run.id)
    details = [each.event for each in kept if isinstance(each.event, StepDetail)]
    assert [(each.step_id, each.done) for each in details] == [("s1-extracting", 100), ("s2-embedding", 100)]
    assert sum(isinstance(event, StepDetail) for event in heard) == 200
    drawn = []
    for events in ([each.event for each in kept], [RunCreated(kind="ingestion", subject="doc"), *heard]):
        view = TraceView()
        for event in events:
            view.fold(event)
        drawn.append(view)
    assert drawn[0] == drawn[1]
    assert await ledger.next_sequence(run.id) == kept[-1].sequence + 1


async def test_what_the_work_raises_becomes_words_and_not_its_text(ledger: RunLedger, jobs: Jobs) -> None:
    async def work(writer: RunWriter) -> str:
        raise RuntimeError("secret path /etc/key")

    run = await ledger.start("ada", "question", "q")
    assert await Runner(ledger, jobs).start(run, work) == "failed"
    entries = await ledger.entries("ada", run.id)
    assert kinds(entries)[-2:] == ["error", "run.completed"]
    assert "secret" not in "".join(entry.model_dump_json() for entry in entries)


async def test_a_cancelled_run_keeps_what_it_has_written(ledger: RunLedger, jobs: Jobs) -> None:
    writing = asyncio.Event()

    async def work(writer: RunWriter) -> str:
        writer.emit(AssistantDelta(text="half an ans"))
        writing.set()
        await asyncio.Event().wait()
        return "answered"

    runner = Runner(ledger, jobs)
    run = await ledger.start("ada", "question", "q")
    task = runner.start(run, work)
    await writing.wait()
    await runner.cancel("ada", run.id)
    assert await task == "cancelled"
    entries = await ledger.entries("ada", run.id)
    assert entries[-1].event == RunCompleted(outcome="cancelled")
    assert AssistantDelta(text="half an ans") in [entry.event for entry in entries]


async def test_the_run_of_a_dead_process_is_abandoned_and_one_we_work_on_is_not(
    ledger: RunLedger, truth, clock, jobs
) -> None:
    other = RunLedger(truth, clock, new_id, "another process", jobs)
    dead = await other.start("ada", "question", "q")
    ours = await ledger.start("ada", "question", "q")
    assert await ledger.abandoned(everyone=False) == []
    clock.now += jobs.lease + 1
    assert [run.id for run in await ledger.abandoned(everyone=False, busy={ours.id})] == [dead.id]
    await ledger.interrupt(dead)
    assert (await ledger.get("ada", dead.id)).outcome == "interrupted"
    assert (await ledger.get("ada", ours.id)).state == "running"
    assert kinds(await collect(ledger, dead.id))[-1] == "run.completed"


async def test_what_a_process_says_of_a_run_that_another_has_buried_is_not_written_and_the_first_end_stays(
    ledger: RunLedger, truth, clock, jobs
) -> None:
    run = await ledger.start("ada", "question", "q")
    writer = RunWriter(ledger, run, 2, 0.0)
    other = RunLedger(truth, clock, new_id, "another process", jobs)
    await other.interrupt(run)
    for _ in range(3):
        writer.emit(AssistantDelta(text="late"))
    await writer.close()
    assert await ledger.renew(run.id), "whoever still works on it is to stop"
    late = RunWriter(ledger, run, 2, 0.0)
    late.emit(AssistantDelta(text="late"))
    late.emit(RunCompleted(outcome="answered"))
    await late.close()
    await ledger.end(run, "answered")
    assert kinds(await ledger.entries("ada", run.id)) == ["run.created", "error", "run.completed"]
    assert (await ledger.get("ada", run.id)).outcome == "interrupted"


async def test_of_two_that_bury_a_run_at_once_one_says_its_end(
    ledger: RunLedger, truth, clock, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await ledger.start("ada", "question", "q")
    other = RunLedger(truth, clock, new_id, "another process", jobs)
    append = ledger.append

    async def after_the_other(run: Run, sequence: int, events: Sequence[Event]) -> int:
        await other.append(run, 2, [RunCompleted(outcome="interrupted")])
        return await append(run, sequence, events)

    monkeypatch.setattr(ledger, "append", after_the_other)
    await ledger.interrupt(run)
    assert kinds(await ledger.entries("ada", run.id)) == ["run.created", "run.completed"]


async def test_what_another_says_in_the_place_of_ones_own_words_is_the_end(
    ledger: RunLedger, truth, clock, jobs: Jobs
) -> None:
    """When another process has written an event under our next sequence number, nothing more is written: otherwise its
    event would look like ours."""
    run = await ledger.start("ada", "question", "q")
    writer = RunWriter(ledger, run, 2, 0.0)
    other = RunLedger(truth, clock, new_id, "another process", jobs)
    await other.append(run, 2, [RunCompleted(outcome="interrupted")])
    writer.emit(AssistantDelta(text="late"))
    writer.emit(RunCompleted(outcome="answered"))
    await writer.close()
    assert kinds(await ledger.entries("ada", run.id)) == ["run.created", "run.completed"]


async def test_a_job_that_goes_on_with_a_run_says_all_though_the_last_word_of_the_one_before_comes_late(
    ledger: RunLedger,
) -> None:
    run = await ledger.start("ada", "ingestion", "policy.md")
    embedding = RunWriter(ledger, run, await ledger.next_sequence(run.id), 0.0)
    await ledger.append(run, 2, [AssistantDelta(text="searchable")])
    embedding.emit(AssistantDelta(text="embedded"))
    embedding.emit(RunCompleted(outcome="completed"))
    await embedding.close()
    said = [entry.event for entry in await ledger.entries("ada", run.id)][1:]
    assert said[:2] == [AssistantDelta(text="searchable"), AssistantDelta(text="embedded")]
    assert said[2:] == [RunCompleted(outcome="completed")]


async def test_a_run_whose_end_could_not_be_written_is_ended_by_the_upkeep(
    ledger: RunLedger, jobs: Jobs, clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(writer: RunWriter) -> str:
        return "answered"

    async def away(*_: object) -> None:
        raise ConnectionError("away")

    runner = Runner(ledger, jobs)
    run = await ledger.start("ada", "question", "q", conversation_id="conv")
    with monkeypatch.context() as patched:
        patched.setattr("core.runs.runner.PAUSES", ())
        patched.setattr(ledger, "append", away)
        patched.setattr(ledger, "end", away)
        await runner.start(run, work)
    assert await ledger.active("ada", "conv")
    clock.now += jobs.lease + 1
    (left,) = await ledger.abandoned(everyone=False, busy=runner.busy)
    await ledger.interrupt(left)
    assert await ledger.active("ada", "conv") is None
    failure = (await ledger.entries("ada", run.id))[-2].event
    assert isinstance(failure, Failure)
    assert "could not be saved" in failure.problem.what.en


async def test_a_run_that_could_not_begin_leaves_nothing(ledger: RunLedger, truth, monkeypatch) -> None:
    async def away(*_: object) -> None:
        raise ConnectionError("away")

    with monkeypatch.context() as patched:
        patched.setattr(ledger, "append", away)
        with pytest.raises(ConnectionError):
            await ledger.start("ada", "question", "q", conversation_id="conv")
    assert await truth.collection("runs").count() == 0


QUESTION = Interrupted(
    interrupt_id="ask_1", kind="doc_choice", question="Which?", choices=[Choice(id="doc_1", label="One")]
)
ANSWER = Answered(interrupt_id="ask_1", labels=["One"])


async def waiting(ledger: RunLedger, jobs: Jobs) -> Run:
    async def work(_: RunWriter) -> Interrupted:
        return QUESTION

    run = await ledger.start("ada", "question", "q", conversation_id="conv_1")
    assert await Runner(ledger, jobs).start(run, work) == QUESTION
    return await ledger.get("ada", run.id)


async def test_a_run_that_asks_waits_without_a_lease_and_is_never_abandoned(
    ledger: RunLedger, truth, clock, jobs: Jobs
) -> None:
    run = await waiting(ledger, jobs)
    assert (run.state, run.waiting_for, run.lease_owner, run.outcome) == ("waiting", "ask_1", None, None)
    assert await ledger.pending("ada", run.id) == QUESTION
    assert await ledger.pending("bob", run.id) is None
    active = await ledger.active("ada", "conv_1")
    assert active is not None
    assert active.id == run.id
    clock.now += 10 * jobs.lease
    later = RunLedger(truth, clock, new_id, "a later process", jobs)
    assert await later.abandoned(everyone=True) == []
    assert await later.abandoned(everyone=False) == []


async def test_of_many_answers_at_once_one_takes_the_run_up(ledger: RunLedger, jobs: Jobs) -> None:
    run = await waiting(ledger, jobs)
    taken = await asyncio.gather(*(ledger.take_up(run, ANSWER) for _ in range(5)))
    assert len([each for each in taken if each]) == 1
    assert kinds(await ledger.entries("ada", run.id)) == ["run.created", "interrupt", "interrupt.answered"]
    now = await ledger.get("ada", run.id)
    assert (now.state, now.waiting_for, now.lease_owner) == ("running", None, "this process")
    assert await ledger.pending("ada", run.id) is None
    assert await ledger.take_up(run, ANSWER) is None


async def test_an_answer_that_comes_before_the_run_is_laid_down_waits_for_it(ledger: RunLedger) -> None:
    run = await ledger.start("ada", "question", "q")
    await ledger.append(run, 2, [QUESTION])
    answering = asyncio.create_task(ledger.take_up(run, ANSWER))
    await asyncio.sleep(0)
    await ledger.pause(run, QUESTION)
    assert await answering is not None
    assert kinds(await ledger.entries("ada", run.id)) == ["run.created", "interrupt", "interrupt.answered"]


async def test_a_tail_goes_on_through_question_and_answer(ledger: RunLedger, jobs: Jobs) -> None:
    run = await waiting(ledger, jobs)
    tail = asyncio.create_task(collect(ledger, run.id))
    taken = await ledger.take_up(run, ANSWER)
    assert taken is not None

    async def work(writer: RunWriter) -> str:
        writer.emit(AssistantDelta(text="One it is."))
        return "answered"

    await Runner(ledger, jobs).start(taken, work, await ledger.next_sequence(run.id))
    entries = await tail
    assert [entry.sequence for entry in entries] == list(range(1, 6))
    assert kinds(entries)[1:] == ["interrupt", "interrupt.answered", "assistant.delta", "run.completed"]


async def test_nobody_sees_or_ends_the_run_of_another(ledger: RunLedger, jobs: Jobs) -> None:
    run = await ledger.start("ada", "question", "q")
    assert await ledger.entries("bob", run.id) == []
    with pytest.raises(PalimpsestError):
        await collect(ledger, run.id, user_id="bob")
    with pytest.raises(PalimpsestError):
        await Runner(ledger, jobs).cancel("bob", run.id)
    await ledger.request_cancel("bob", run.id)
    assert not (await ledger.get("ada", run.id)).cancel_requested


async def test_the_first_words_are_told_at_once_and_the_next_ones_together(ledger: RunLedger) -> None:
    run = await ledger.start("ada", "question", "Why?")
    writer = RunWriter(ledger, run, 2, interval=0.5)
    began = asyncio.get_running_loop().time()
    writer.emit(AssistantDelta(text="The "))
    async for entry in ledger.tail("ada", run.id):
        if isinstance(entry.event, AssistantDelta):
            break
    assert asyncio.get_running_loop().time() - began < 0.5
    for text in ("Jordan ", "alone."):
        writer.emit(AssistantDelta(text=text))
        await asyncio.sleep(0)
    await writer.close()
    texts = [each.event.text for each in await ledger.entries("ada", run.id) if isinstance(each.event, AssistantDelta)]
    assert texts == ["The ", "Jordan alone."]


async def test_steps_of_a_paced_run_are_written_together_and_the_last_word_waits_for_nothing(
    ledger: RunLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await ledger.start("ada", "ingestion", "a.md")
    writer = RunWriter(ledger, run, 2, interval=3600.0, paced=True)
    written: list[int] = []
    begun = asyncio.Event()
    append = ledger.append

    async def counted(run: Run, sequence: int, events: Sequence[Event]) -> int:
        written.append(len(events))
        begun.set()
        return await append(run, sequence, events)

    monkeypatch.setattr(ledger, "append", counted)
    trace = Trace(writer.emit)
    with trace.step("extracting"):
        await asyncio.wait_for(begun.wait(), 30)
    with trace.step("chunking"):
        await asyncio.sleep(0)
    await asyncio.wait_for(writer.close(), 30)
    assert written == [1, 3]


async def test_what_was_said_before_a_flush_stands_after_it_and_the_rest_is_paced_again(ledger: RunLedger) -> None:
    run = await ledger.start("ada", "ingestion", "a.md")
    writer = RunWriter(ledger, run, 2, interval=3600.0, paced=True)
    said: list[str] = []
    for text in ("extracted ", "indexed "):
        writer.emit(AssistantDelta(text=text))
        await asyncio.wait_for(writer.flush(), 30)
        said.append(text)
        there = [each.event for each in await ledger.entries("ada", run.id, 1)]
        assert there == [AssistantDelta(text=each) for each in said]
    writer.emit(AssistantDelta(text="late"))
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(await ledger.entries("ada", run.id, 1)) == 2
    await asyncio.wait_for(writer.close(), 30)
    assert len(await ledger.entries("ada", run.id, 1)) == 3


async def test_who_flushes_what_was_refused_while_a_lease_was_over_is_cancelled_and_waits_for_nothing(
    ledger: RunLedger, clock: Clock
) -> None:
    run = await ledger.start("ada", "ingestion", "a.md")
    lease = Lease(20.0, clock)

    async def work() -> None:
        writer = RunWriter(ledger, run, 2, interval=0.0, paced=True)
        clock.now += 21.0
        writer.emit(StepDetail(step_id="s1", detail=Words.alike("indexed")))
        for _ in range(20):
            await asyncio.sleep(0)
        lease.asked_again()()  # Before the other process has written anything else.
        await writer.flush()

    with writing_under(lease):
        working = asyncio.create_task(work())
    await asyncio.wait([working], timeout=30)
    assert working.cancelled()
    assert len(await ledger.entries("ada", run.id)) == 1


async def test_what_was_half_written_is_written_to_its_end_and_once(
    ledger: RunLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await ledger.start("ada", "question", "Why?")
    append, cut = ledger.append, [True]

    async def half(run: Run, sequence: int, events: Sequence[Event]) -> int:
        if cut and len(events) > 1:
            cut.clear()
            await append(run, sequence, events[:1])
            raise ConnectionError("cut")
        return await append(run, sequence, events)

    monkeypatch.setattr(ledger, "append", half)
    writer = RunWriter(ledger, run, 2, 0.0)
    for text in ("one", "two", "three"):
        writer.emit(StepDetail(step_id="s1", detail=Words.alike(text)))
    await writer.close()
    told = [each.event.detail.en for each in await ledger.entries("ada", run.id) if isinstance(each.event, StepDetail)]
    assert told == ["one", "two", "three"]
    assert not cut


@pytest.mark.parametrize("came_through", [0, 1, 2])
async def test_what_a_long_outage_kept_back_is_told_when_it_is_over(
    ledger: RunLedger, monkeypatch: pytest.MonkeyPatch, came_through: int
) -> None:
    run = await ledger.start("ada", "question", "Why?")
    append, attempts = ledger.append, count(1)
    given_up = asyncio.Event()

    async def unanswered(run: Run, sequence: int, events: Sequence[Event]) -> int:
        attempt = next(attempts)
        if attempt == 1:
            raise ConnectionError("away")
        if attempt > 2:
            return await append(run, sequence, events)
        if came_through:
            await append(run, sequence, events[:came_through])
        given_up.set()
        raise ConnectionError("cut")

    monkeypatch.setattr(ledger, "append", unanswered)
    monkeypatch.setattr("core.runs.runner.PAUSES", (0.0,))
    writer = RunWriter(ledger, run, 2, 0.0)
    for text in ("one", "two"):
        writer.emit(StepDetail(step_id="s1", detail=Words.alike(text)))
    await asyncio.wait_for(given_up.wait(), 30)
    writer.emit(StepDetail(step_id="s1", detail=Words.alike("three")))
    await writer.close()
    entries = await ledger.entries("ada", run.id)
    assert [each.event.detail.en for each in entries if isinstance(each.event, StepDetail)] == ["one", "two", "three"]
    assert [each.sequence for each in entries] == [1, 2, 3, 4]


async def test_an_event_that_no_row_can_hold_keeps_back_no_other(
    ledger: RunLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await ledger.start("ada", "question", "Why?")
    append, refused = ledger.append, asyncio.Event()

    async def strict(run: Run, sequence: int, events: Sequence[Event]) -> int:
        if AssistantDelta(text="\ud800") in events:
            refused.set()
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        return await append(run, sequence, events)

    monkeypatch.setattr(ledger, "append", strict)
    monkeypatch.setattr("core.runs.runner.PAUSES", (0.0,))
    writer = RunWriter(ledger, run, 2, 0.0)
    writer.emit(AssistantDelta(text="\ud800"))
    await asyncio.wait_for(refused.wait(), 30)
    writer.emit(StepDetail(step_id="s1", detail=Words.alike("after")))
    await writer.close()
    assert kinds(await ledger.entries("ada", run.id))[-1] == "step.detail"


async def test_a_run_ends_though_its_lease_was_being_renewed_and_lost_the_cancel(
    ledger: RunLedger, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewing = asyncio.Event()

    async def deaf(run_id: str) -> bool:
        if not renewing.is_set():
            renewing.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        return False

    async def work(writer: RunWriter) -> str:
        await renewing.wait()
        return "answered"

    monkeypatch.setattr(ledger, "renew", deaf)
    run = await ledger.start("ada", "question", "Why?")
    task = Runner(ledger, jobs.model_copy(update={"lease": 0.03})).start(run, work)
    assert await asyncio.wait_for(task, 30) == "answered"
    assert kinds(await ledger.entries("ada", run.id))[-1] == "run.completed"


def test_coalescing_joins_only_neighbours() -> None:
    one, two, end = AssistantDelta(text="a"), AssistantDelta(text="b"), RunCompleted(outcome="answered")
    assert coalesce([one, two, end, one]) == [AssistantDelta(text="ab"), end, one]


async def test_upkeep_lets_runs_go_first_but_not_for_ever(ledger: RunLedger, jobs: Jobs) -> None:
    over = asyncio.Event()

    async def work(writer: RunWriter) -> str:
        await over.wait()
        return "answered"

    runner = Runner(ledger, jobs)
    await runner.quiet(60.0)
    task = runner.start(await ledger.start("ada", "question", "q"), work)
    await runner.quiet(0.05)
    waiting = asyncio.create_task(runner.quiet(60.0))
    await asyncio.sleep(0)
    assert not waiting.done()
    over.set()
    await task
    await asyncio.wait_for(waiting, 30)
