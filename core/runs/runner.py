"""Runs work in the background, so that closing a browser tab stops only the display of events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import takewhile

from core.errors import explain
from core.events import AssistantDelta, Event, Failure, Interrupted, RunCompleted, RunOutcome
from core.resilience.ending import end
from core.runs.current import work_on
from core.runs.ledger import RunLedger
from core.runs.records import Run
from core.runs.scheduler import wait
from core.setting_groups import Jobs
from core.store.truth import DuplicateError

log = logging.getLogger(__name__)

QUIET_SECONDS = 10.0
"""Longest time in seconds for which maintenance gives questions priority."""
PAUSES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds between attempts to write a run's events."""


class RunWriter:
    """Writes the events of one run to the ledger, in order. Deltas are combined to at most twenty writes a second; with
    ``paced``, all other events are limited in the same way."""

    def __init__(self, ledger: RunLedger, run: Run, sequence: int, interval: float, *, paced: bool = False) -> None:
        self._ledger = ledger
        self._run = run
        self._sequence = sequence
        self._interval = interval
        self._paced = paced
        self._next_write = 0.0
        self._urgent = asyncio.Event()
        self._unwritten: list[Event] = []
        self._lost = False
        """Another process has taken over the run; further events from here are dropped."""
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._drain = asyncio.create_task(self._write_events())

    def emit(self, event: Event) -> None:
        """Queue an event; never blocks."""
        self._queue.put_nowait(event)

    async def flush(self) -> None:
        """All queued events are in the ledger when this returns, unless the record store was unavailable for long.

        Raises:
            asyncio.CancelledError: the lease ended at some point, and nothing has been written since.
        """
        self._urgent.set()
        written = asyncio.create_task(self._queue.join())
        try:
            done, _ = await asyncio.wait([written, self._drain], return_when=asyncio.FIRST_COMPLETED)
        finally:
            written.cancel()
        if written not in done:
            await self._drain
        self._urgent.clear()

    async def close(self) -> None:
        """As ``flush``; no more events are accepted afterwards."""
        self._queue.put_nowait(None)
        self._urgent.set()
        await self._drain

    async def _write_events(self) -> None:
        while True:
            events = [await self._queue.get()]
            if self._paced or isinstance(events[0], AssistantDelta):
                await self._until_next_write()
            while not self._queue.empty():
                events.append(self._queue.get_nowait())
            written = coalesce([event for event in events if event is not None])
            if written:
                await self._append(written)
            for _ in events:
                self._queue.task_done()
            if None in events:
                return

    async def _until_next_write(self) -> None:
        """The first and the last event are written immediately."""
        loop = asyncio.get_running_loop()
        await wait(self._urgent, self._next_write - loop.time())
        self._next_write = loop.time() + self._interval

    async def _append(self, events: list[Event]) -> None:
        """Events that could not be written in time are tried again with the next ones."""
        if self._lost:
            return
        self._unwritten += events
        reason = await write_with_retries(self._write_rest, f"events of {self._run.id}")
        if isinstance(reason, TypeError | ValueError):
            # No row can ever hold it, so it must not block the events that follow.
            self._unwritten.clear()

    async def _write_rest(self) -> None:
        while self._unwritten and not self._lost:
            try:
                self._sequence = await self._ledger.append(self._run, self._sequence, self._unwritten)
            except DuplicateError:
                await self._pass_over()
            else:
                self._unwritten.clear()

    async def _pass_over(self) -> None:
        """Skip existing events. They are from an earlier attempt by this process that seemed to fail, or from a job of
        this process that hands over the run while its last event is being written, or from another process that has
        the run now."""
        there = await self._ledger.entries(self._run.user_id, self._run.id, self._sequence - 1)
        pairs = zip(there, self._unwritten, strict=False)
        ours = len(list(takewhile(lambda pair: pair[0].event == pair[1], pairs)))
        del self._unwritten[:ours]
        self._sequence += ours or len(there)
        ended = any(isinstance(each.event, RunCompleted) for each in there[ours:])
        self._lost = not there or ended or not await self._ledger.owns(self._run.id)


async def write_with_retries(write: Callable[[], Awaitable[None]], what: str) -> Exception | None:
    """Write to a record store that may be locked or unavailable for some seconds; returns the error if that failed."""
    for pause in (*PAUSES, None):
        try:
            await write()
        except Exception as error:
            log.warning("%s could not be written", what, exc_info=True)
            reason = error
            if pause is not None:
                await asyncio.sleep(pause)
        else:
            return None
    return reason


def coalesce(events: list[Event]) -> list[Event]:
    """Join adjacent deltas; the order and the text are unchanged."""
    joined: list[Event] = []
    for event in events:
        last = joined[-1] if joined else None
        if isinstance(event, AssistantDelta) and isinstance(last, AssistantDelta):
            joined[-1] = AssistantDelta(text=last.text + event.text)
        else:
            joined.append(event)
    return joined


Ending = RunOutcome | Interrupted
"""How the work on a run stopped: at its end, or with a question to the person."""

Work = Callable[[RunWriter], Awaitable[Ending]]
"""Does the work of a run; an error that it raises becomes the run's error."""


class Runner:
    """Manages the tasks of the runs of this process."""

    def __init__(self, ledger: RunLedger, settings: Jobs) -> None:
        self._ledger = ledger
        self._settings = settings
        self._tasks: dict[str, asyncio.Task[Ending]] = {}
        self._bodies: dict[str, asyncio.Future[Ending]] = {}
        self._begun = asyncio.Event()
        ledger.announcements.listen("cancelled", self._end_here)

    @property
    def busy(self) -> set[str]:
        """Ids of the runs that this process works on."""
        return set(self._tasks)

    async def idle(self) -> None:
        """Wait until this process works on no run."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))

    async def begun(self) -> None:
        """Wait until this process works on a run."""
        await self._begun.wait()

    async def quiet(self, most: float = QUIET_SECONDS) -> None:
        """As :meth:`idle`, but for at most ``most`` seconds: if there is always a run, maintenance continues in
        parallel."""
        if self._tasks:
            with suppress(TimeoutError):
                async with asyncio.timeout(most):
                    await self.idle()

    def start(self, run: Run, work: Work, first_sequence: int = 2) -> asyncio.Task[Ending]:
        """Start in the background; the task's result is how the work stopped, and it never raises."""
        writer = RunWriter(self._ledger, run, first_sequence, self._settings.event_interval)
        with work_on(run.id):
            body = asyncio.ensure_future(work(writer))
            task = asyncio.create_task(self._supervise(run, writer, body), name=run.id)
        self._tasks[run.id], self._bodies[run.id] = task, body
        self._begun.set()
        task.add_done_callback(lambda done: self._forget(run.id, done))
        return task

    def _forget(self, run_id: str, done: asyncio.Task[Ending]) -> None:
        # A run that asked the user may have been resumed by now.
        if self._tasks.get(run_id) is done:
            del self._tasks[run_id], self._bodies[run_id]
        if not self._tasks:
            self._begun.clear()

    async def cancel(self, user_id: str, run_id: str) -> None:
        """Request the end of a run in any process; no effect on an ended run."""
        run = await self._ledger.get(user_id, run_id)
        await self._ledger.request_cancel(user_id, run_id)
        self._end_here(run.id)

    def _end_here(self, run_id: str) -> None:
        if body := self._bodies.get(run_id):
            body.cancel()

    async def stop(self) -> None:
        """Cancel all running work and wait until that is recorded in the ledger."""
        # Only the work is cancelled; its supervisor must still write the end of the run.
        for body in list(self._bodies.values()):
            body.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _supervise(self, run: Run, writer: RunWriter, body: asyncio.Future[Ending]) -> Ending:
        lease = asyncio.create_task(self._renew_lease(run, body))
        ending = await self._ending_of(run, writer, body)
        await end([lease])
        if isinstance(ending, Interrupted):
            writer.emit(ending)
            await writer.close()
            await write_with_retries(lambda: self._ledger.pause(run, ending), f"the question of {run.id}")
            return ending
        writer.emit(RunCompleted(outcome=ending))
        await writer.close()
        await write_with_retries(lambda: self._ledger.end(run, ending), f"the end of {run.id}")
        return ending

    async def _ending_of(self, run: Run, writer: RunWriter, body: asyncio.Future[Ending]) -> Ending:
        try:
            return await body
        except asyncio.CancelledError:
            body.cancel()
            await asyncio.gather(body, return_exceptions=True)
            return "cancelled"
        except Exception as error:
            log.exception("run %s failed", run.id)
            writer.emit(Failure(problem=explain(error)))
            return "failed"

    async def _renew_lease(self, run: Run, body: asyncio.Future[Ending]) -> None:
        while True:
            await asyncio.sleep(self._settings.lease / 3)
            try:
                if await self._ledger.renew(run.id):
                    body.cancel()
            except Exception:
                log.warning("the lease of %s could not be renewed", run.id, exc_info=True)
