"""Manages the ledger of runs: an append-only list of events, from which everything that users see is read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence

from pydantic import JsonValue

from core.clock import Clock
from core.coordination.announcements import Announcements
from core.errors import PalimpsestError, Problem, fail, problem_of
from core.events import (
    Answered,
    Entry,
    Event,
    Failure,
    Heartbeat,
    Interrupted,
    Response,
    RunCompleted,
    RunCreated,
    RunKind,
    RunOutcome,
)
from core.ids import NewId
from core.runs.changes import Changes
from core.runs.event_rows import PIECEMEAL, compaction, entry_of, row_of
from core.runs.recent_entries import RecentEntries
from core.runs.records import Run
from core.setting_groups import Jobs
from core.store.lease import refuse_late_write
from core.store.scope import ScopedTruth
from core.store.truth import UNLEASED, Change, DuplicateError, Sorted, Truth, Unique, Upsert
from core.store.typed_collection import TypedCollection, records_of
from core.words import Language

POLL_SECONDS = 1.0
"""Seconds between checks for events that another process wrote."""
PAUSING_SECONDS = 5.0
"""Seconds that a user's reply waits for its run to be paused: the run's question can be read shortly before that."""


Heard = Callable[[Run, Sequence[Event], float], None]
"""A function that is called with events after they are written, and the time (epoch seconds); it must be fast and raise
nothing."""


def unknown_run() -> PalimpsestError:
    return fail("not_found", "runs.ledger.unknown_run")


class RunLedger:
    """Starts runs, appends and follows their events, and ends the runs of dead processes.

    >>> run(workbench.ledger.get("ada", run_id)).outcome
    'answered'
    """

    def __init__(
        self,
        truth: Truth,
        clock: Clock,
        new_id: NewId,
        owner: str,
        settings: Jobs,
        announcements: Announcements | None = None,
    ) -> None:
        self._truth = truth
        self._runs = TypedCollection(truth.collection("runs"), Run)
        self._events = truth.collection("run_events")
        self._clock = clock
        self._new_id = new_id
        self._owner = owner
        self._settings = settings
        self._changes = Changes()
        self.announcements = announcements or Announcements(None, owner)
        self.announcements.listen("runs", self._changes.notify)
        self._listeners: list[Heard] = []
        self._recent = RecentEntries()

    def listen(self, heard: Heard) -> None:
        """Call ``heard`` for everything that this process writes."""
        self._listeners.append(heard)

    async def ensure(self) -> None:
        await self._runs.rows.ensure(
            sort=[Sorted(("user_id", "conversation_id", "created_at")), Sorted(("state", "kind"))]
        )
        await self._events.ensure(unique=[Unique(("run_id", "sequence"))])

    async def start(
        self,
        user_id: str,
        kind: RunKind,
        subject: str,
        *,
        conversation_id: str | None = None,
        language: Language = "en",
        thread: str | None = None,
    ) -> Run:
        """Record a new run of this process with its first event."""
        now = self._clock()
        run = Run(
            id=self._new_id("run"),
            user_id=user_id,
            kind=kind,
            subject=subject,
            conversation_id=conversation_id,
            language=language,
            thread=thread,
            lease_owner=self._owner,
            lease_until=now + self._settings.lease,
            created_at=now,
        )
        await self._runs.put(run)
        created = RunCreated(kind=kind, subject=subject, conversation_id=conversation_id, language=language)
        try:
            await self.append(run, 1, [created])
        except Exception:
            # Otherwise its conversation would count as being answered; if this fails too, the maintenance finds the
            # run.
            await self._runs.rows.delete({"_id": run.id})
            raise
        return run

    async def append(self, run: Run, sequence: int, events: Sequence[Event]) -> int:
        """Write ``events`` numbered from ``sequence``; returns the next free number. If it fails, earlier events may
        stay: no transaction is used, so that another process can end a dead process's run without waiting for locks.

        Raises:
            DuplicateError: one of the numbers is taken already.
        """
        refuse_late_write()
        now = self._clock()
        numbered = enumerate(events, sequence)
        entries = [Entry(run_id=run.id, sequence=number, at=now, event=event) for number, event in numbered]
        await self._events.insert_many([row_of(run.user_id, each) for each in entries], whole=False)
        self._recent.add(run.user_id, run.id, entries)
        self._notify(run)
        for heard in self._listeners:
            heard(run, events, now)
        return sequence + len(events)

    async def next_sequence(self, run_id: str) -> int:
        last = await self._events.find({"run_id": run_id}, sort=[("sequence", -1)], limit=1, fields=["sequence"])
        return int(str(last[0]["sequence"])) + 1 if last else 1

    async def get(self, user_id: str, run_id: str) -> Run:
        """A run of this user. Raises ``PalimpsestError`` (not found) otherwise."""
        found = await self._of(user_id).get(run_id)
        if found is None:
            raise unknown_run()
        return found

    async def active(self, user_id: str, conversation_id: str) -> Run | None:
        """The conversation's run that is in progress or waits for a reply, if there is one.

        A run whose end event is written does not count: its reader may ask the next question before it is closed.
        """
        asked = {"conversation_id": conversation_id, "state": {"$ne": "ended"}, "kind": "question"}
        for run in await self._of(user_id).find(asked):
            last = await self._last(run.id)
            if last is None or not isinstance(last.event, RunCompleted):
                return run
        return None

    async def _last(self, run_id: str) -> Entry | None:
        last = await self._events.find({"run_id": run_id}, sort=[("sequence", -1)], limit=1)
        return entry_of(last[0]) if last else None

    async def entries(self, user_id: str, run_id: str, after: int = 0) -> list[Entry]:
        """The events of a run with a sequence above ``after``."""
        events = ScopedTruth(self._truth, user_id).collection("run_events")
        rows = await events.find({"run_id": run_id, "sequence": {"$gt": after}}, sort=[("sequence", 1)])
        return [entry_of(row, after) for row in rows]

    async def answers(self, user_id: str, run_ids: Sequence[str]) -> dict[str, Response]:
        """The answers of finished runs, by run id."""
        if not run_ids:
            return {}
        events = ScopedTruth(self._truth, user_id).collection("run_events")
        wanted = {"run_id": {"$in": list(run_ids)}, "event.type": "response"}
        rows = await events.find(wanted, sort=[("sequence", 1)])
        given = await asyncio.to_thread(lambda: [entry_of(row) for row in rows])
        return {entry.run_id: entry.event for entry in given if isinstance(entry.event, Response)}

    async def tail(self, user_id: str, run_id: str, after: int = 0) -> AsyncIterator[Entry]:
        """Yield events as they are written until the run ends, and heartbeats (sequence unchanged, never stored) in
        between."""
        run: Run | None = None
        silent, patience = 0.0, min(POLL_SECONDS, self._settings.heartbeat)
        while True:
            seen = self._changes.version_of(run_id)
            entries = self._recent.following(user_id, run_id, after)
            if not entries:
                run = run or await self.get(user_id, run_id)
                entries = await self.entries(user_id, run_id, after)
            for entry in entries:
                after, silent = entry.sequence, 0.0
                yield entry
            if any(isinstance(entry.event, RunCompleted) for entry in entries):
                return
            # Ended runs are read once more: the last events may have been written after the entries were read.
            if run and run.state == "ended":
                if entries:
                    continue
                return
            if not entries:
                run = await self.get(user_id, run_id)
                if run.state == "ended":
                    continue
            silent += await self._changes.wait(run_id, seen, patience)
            if silent >= self._settings.heartbeat:
                silent = 0.0
                yield Entry(run_id=run_id, sequence=after, at=self._clock(), event=Heartbeat())

    async def owns(self, run_id: str) -> bool:
        """Whether the run is still active and belongs to this process."""
        run = await self._runs.get(run_id)
        return run is not None and run.state == "running" and run.lease_owner == self._owner

    async def renew(self, run_id: str) -> bool:
        """Renew the lease; returns whether the work must stop, because of a request or because another process has the
        run."""
        change = Change(set={"lease_until": self._clock() + self._settings.lease, "lease_owner": self._owner})
        run = await self._runs.update(run_id, change, where={"state": "running", "lease_owner": self._owner})
        return run is None or run.cancel_requested

    async def reopen(self, run_id: str) -> Run | None:
        """Take over the run of a job that is resumed after its process died; ``None`` if its end event is written.

        Raises:
            PalimpsestError: there is no such run.
        """
        if await self._open_at(run_id) is None:
            return None
        taken = await self._runs.update(run_id, self._owned(outcome=None))
        if taken is None:
            raise unknown_run()
        return taken

    async def pending(self, user_id: str, run_id: str) -> Interrupted | None:
        """The run's question to the user that is not answered yet."""
        events = ScopedTruth(self._truth, user_id).collection("run_events")
        turning = {"run_id": run_id, "event.type": {"$in": ["interrupt", "interrupt.answered", "run.completed"]}}
        newest = await events.find(turning, sort=[("sequence", -1)], limit=1)
        event = entry_of(newest[0]).event if newest else None
        return event if isinstance(event, Interrupted) else None

    async def pause(self, run: Run, asked: Interrupted) -> None:
        """Let the run wait for an answer to ``asked``: no process owns it, and none will end it."""
        pending = await self.pending(run.user_id, run.id)
        if pending is None or pending.interrupt_id != asked.interrupt_id:
            await self.append(run, await self.next_sequence(run.id), [asked])
        change = UNLEASED.also(state="waiting", waiting_for=asked.interrupt_id)
        await self._runs.update(run.id, change, where={"state": "running"})
        self._notify(run)

    async def take_up(self, run: Run, answer: Answered) -> Run | None:
        """Take over the run that waits for ``answer`` and record the answer; ``None`` if another process was faster."""
        change = self._owned(waiting_for=None)
        ends = asyncio.get_running_loop().time() + PAUSING_SECONDS
        while True:
            seen = self._changes.version_of(run.id)
            where = {"state": "waiting", "waiting_for": answer.interrupt_id}
            taken = await self._runs.update(run.id, change, where=where)
            if taken is not None:
                await self.append(taken, await self.next_sequence(run.id), [answer])
                return taken
            # A user can read the question shortly before its run is paused.
            pending = await self.pending(run.user_id, run.id)
            left = ends - asyncio.get_running_loop().time()
            if left <= 0 or pending is None or pending.interrupt_id != answer.interrupt_id:
                return None
            await self._changes.wait(run.id, seen, min(POLL_SECONDS, left))

    async def request_cancel(self, user_id: str, run_id: str) -> None:
        """Record a cancellation request; the process that runs it will see it."""
        await self._of(user_id).update(run_id, Change(set={"cancel_requested": True}))
        self.announcements.tell("cancelled", run_id)

    async def request_answer(self, user_id: str, run_id: str) -> None:
        """Record a request to answer now with what has been found; like a cancellation, the run's process will see
        it."""
        await self._of(user_id).update(run_id, Change(set={"answer_requested": True}), where={"state": "running"})

    async def take_answer_request(self, user_id: str, run_id: str) -> bool:
        """Whether an immediate answer was requested; a request counts once."""
        asked = (await self.get(user_id, run_id)).answer_requested
        if asked:
            await self._of(user_id).update(run_id, Change(set={"answer_requested": False}))
        return asked

    async def end(self, run: Run, outcome: RunOutcome) -> None:
        """Close the run and compact its events; if it was ended before, the first end is kept."""
        refuse_late_write()
        change = Change(set={"state": "ended", "outcome": outcome, "ended_at": self._clock()})
        await self._runs.update(run.id, change, where={"state": {"$ne": "ended"}})
        await self._compact(run)
        self._notify(run)

    async def abandoned(self, *, everyone: bool, busy: Collection[str] = ()) -> list[Run]:
        """The question runs without an active process: their lease has ended, and they are not among this process's
        ``busy`` ones. A run of this process is included if its end could not be written. With ``everyone``, all runs
        of other processes (one process only).

        Runs of jobs are not included, because their job is resumed and continues them. Waiting runs are not included
        either.
        """
        left = {"lease_owner": {"$ne": self._owner}} if everyone else {"lease_until": {"$lt": self._clock()}}
        return [
            run for run in await self._runs.find({"state": "running", "kind": "question", **left}) if run.id not in busy
        ]

    async def interrupt(self, run: Run) -> None:
        """End a run that no process works on; a run with an end event, or that is active after all, is not changed."""
        sequence = await self._open_at(run.id)
        if sequence is None:
            return
        problem = self._why_interrupted(run)
        try:
            await self.append(run, sequence, [Failure(problem=problem), RunCompleted(outcome="interrupted")])
        except DuplicateError:
            return
        await self.end(run, "interrupted")

    def _why_interrupted(self, run: Run) -> Problem:
        """The reason why a run was interrupted: a document's reading stopped, an answer's end could not be written
        here, or the answer's process died."""
        if run.kind != "question":
            return problem_of("server", "runs.interruptions.stopped")
        return problem_of("server", f"runs.interruptions.{'unsaved' if run.lease_owner == self._owner else 'died'}")

    async def running(self, kind: RunKind, before: float) -> list[Run]:
        """Runs of all users that began before this time and have not ended (maintenance)."""
        return await self._runs.find({"state": "running", "kind": kind, "created_at": {"$lte": before}})

    async def _open_at(self, run_id: str) -> int | None:
        """The next free number of a run; ``None`` if it has its end event, whose process may have died before it closed
        the run."""
        run = await self._runs.get(run_id)
        if run is None:
            raise unknown_run()
        if run.state == "ended":
            return None
        last = await self._last(run_id)
        if last and isinstance(last.event, RunCompleted):
            await self.end(run, last.event.outcome)
            return None
        return last.sequence + 1 if last else 1

    async def forget(self, user_id: str, run_ids: Sequence[str]) -> None:
        """Delete runs and their events."""
        scope = ScopedTruth(self._truth, user_id)
        for run_id in run_ids:
            self._recent.forget(user_id, run_id)
        await scope.collection("run_events").delete({"run_id": {"$in": list(run_ids)}})
        await scope.collection("runs").delete({"_id": {"$in": list(run_ids)}})

    def _of(self, user_id: str) -> TypedCollection[Run]:
        return records_of(self._truth, user_id, "runs", Run)

    def _owned(self, **fields: JsonValue) -> Change:
        """A run now belongs to this process."""
        fields |= {"lease_owner": self._owner, "lease_until": self._clock() + self._settings.lease}
        return Change(set={"state": "running", "cancel_requested": False, **fields})

    async def _compact(self, run: Run) -> None:
        where = {"run_id": run.id, "event.type": {"$in": list(PIECEMEAL)}}
        writes = compaction(run.user_id, await self._events.find(where, sort=[("sequence", 1)]))
        if writes:
            await self._events.bulk(writes, whole=any(isinstance(each, Upsert) for each in writes))

    def version_of(self, key: str) -> int:
        """The number of changes of a run or of a user's runs that this process has seen."""
        return self._changes.version_of(key)

    async def wait_for_user(self, user_id: str, seen: int, seconds: float) -> None:
        """Return when any run of the user has changed since ``version_of(user_id)`` was ``seen``, or at the timeout."""
        await self._changes.wait(user_id, seen, seconds)

    def _notify(self, run: Run) -> None:
        for key in (run.id, run.user_id):
            self._changes.notify(key)
            self.announcements.tell("runs", key)
