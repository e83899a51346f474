"""Effects of settings for jobs, runs, and the shares of a prompt."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.events import AssistantDelta, Heartbeat
from core.graph.answering.budget import shares
from core.graph.answering.prompt import PromptInputs, build_prompt
from core.ids import new_id
from core.library.reading import Readers
from core.models.capabilities import UNKNOWN_WINDOW
from core.prompts.templates import Prompts
from core.resilience.piped_process import ROOT
from core.runs.jobs import Job, JobQueue, JobState
from core.runs.ledger import RunLedger
from core.runs.runner import RunWriter
from core.store.open import open_truth
from core.store.truth import Truth
from tests.core.search.rig import Rig, make_item
from tests.service.effects.experiment import AT_ONCE, LONG, Bench, changes, never, rest, waits
from tests.service.effects.search import find
from tests.service.effects.workbench import opened
from tests.service.house import CONTRACT, POLICY


@asynccontextmanager
async def truth_of(bench: Bench) -> AsyncIterator[Truth]:
    truth = open_truth(bench.settings)
    await truth.start()
    yield truth
    await truth.stop()


@asynccontextmanager
async def ledger_of(bench: Bench) -> AsyncIterator[RunLedger]:
    async with truth_of(bench) as truth:
        ledger = RunLedger(truth, lambda: 1_000.0, new_id, "this process", bench.settings.jobs)
        await ledger.ensure()
        yield ledger


# -- jobs and runs -----------------------------------------------------------------------------


@changes("jobs.workers", "1", "3")
async def how_many_jobs_are_done_at_once(bench: Bench) -> object:
    begun: list[str] = []

    class Slow:
        async def run(self, job: Job) -> JobState:
            begun.append(job.id)
            await asyncio.Event().wait()
            return "completed"

        async def roll_back(self, job: Job) -> None: ...

    async with truth_of(bench) as truth:
        queue = JobQueue("reading", truth, lambda: 1_000.0, new_id, "this process", bench.settings.jobs)
        for number in range(4):
            await queue.submit("ada", f"doc_{number}", "run")
        await queue.start(Slow(), alone=True)
        await rest()
        await queue.stop()
    return len(begun)


@changes("jobs.drain", AT_ONCE, LONG)
async def whether_a_worker_that_is_told_to_end_waits_for_a_job_that_hangs(bench: Bench) -> object:
    begun = asyncio.Event()

    async def hang(*_: object, **__: object) -> None:
        begun.set()
        await never()

    async with opened(bench) as house:
        bench.patch.setattr(Readers, "read_file", hang)
        await house.give("contract.md", CONTRACT)
        await begun.wait()
        return await waits(house.workbench.drain())


@changes("jobs.nice", "3", "17")
async def how_far_a_worker_stands_back(bench: Bench) -> object:
    nice = bench.settings.jobs.nice
    told = f"import os; from core.resilience.priority import stand_back; stand_back({nice}); print(os.nice(0))"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", told, stdout=asyncio.subprocess.PIPE, cwd=ROOT)
    return int((await process.communicate())[0])


@changes("jobs.lease", "30", "60")
async def until_when_a_run_is_owned(bench: Bench) -> object:
    async with ledger_of(bench) as ledger:
        return (await ledger.start("ada", "question", "Which rivers?")).lease_until


@changes("jobs.event_interval", "0", "0.1")
async def how_many_events_three_deltas_become(bench: Bench) -> object:
    async with ledger_of(bench) as ledger:
        run = await ledger.start("ada", "question", "Which rivers?")
        writer = RunWriter(ledger, run, 2, bench.settings.jobs.event_interval)
        for text in ("The ", "Jordan ", "alone."):
            writer.emit(AssistantDelta(text=text))
            await asyncio.sleep(0.03)
        await writer.close()
        return len(await ledger.entries("ada", run.id))


@changes("jobs.heartbeat", "0.05", LONG)
async def whether_a_silent_run_says_that_it_lives(bench: Bench) -> object:
    async with ledger_of(bench) as ledger:
        run = await ledger.start("ada", "question", "Which rivers?")

        async def alive() -> None:
            async for entry in ledger.tail("ada", run.id):
                if isinstance(entry.event, Heartbeat):
                    return

        return await waits(alive())


# -- waiting for documents ---------------------------------------------------------------------


@changes("deadlines.wait_for_text", "0", LONG, deadlines__wait_at_most=LONG)
@changes("deadlines.wait_at_most", "0.05", LONG, deadlines__wait_for_text=LONG)
async def what_a_question_is_told_while_a_document_is_read_for_ever(bench: Bench) -> object:
    async with opened(bench) as house:
        await house.read("policy.md", POLICY)
        bench.patch.setattr(Readers, "read_file", never)
        await house.give("contract.md", CONTRACT)
        asked = await house.workbench.ask("ada", "What does a night in a hotel in Haifa cost?")
        await rest()
        told = await house.workbench.ledger.entries("ada", asked.run_id)
        return {type(each.event).__name__ for each in told} & {"AnswerNow", "PartlyRead"}


# -- the prompt --------------------------------------------------------------------------------


@changes("budget.window", "32768", "8192")
@changes("budget.user", "10", "200")
@changes("budget.retrieved", "400", "8000")
@changes("budget.history", "40", "4000")
@changes("budget.response", "18000", "75000")
@changes("budget.margin", "1068", "31000")
async def what_a_prompt_holds(bench: Bench) -> object:
    """Fills a prompt with more sources, earlier messages and facts about the user than small token shares can hold."""
    rig = Rig([make_item(n, f"The Jordan, mile {n}. " + "It is long. " * 60) for n in range(8)])
    found = await find(bench, rig, "deep", "Jordan")
    material = PromptInputs(
        question="Which rivers?",
        language="en",
        mode="deep",
        voice="You are plain.",
        today="Monday",
        sources=found.sources,
        user="\n".join(f"- The reader likes river {n}." for n in range(12)),
        turns=[{"question": f"Which river {n}?", "answer": "The Jordan. " * 20, "number": n} for n in range(4)],  # type: ignore[typeddict-item]
    )
    prompt = build_prompt(Prompts(), material, shares(bench.settings.budget, UNKNOWN_WINDOW, "medium"))
    return [each.text for each in prompt.messages]
