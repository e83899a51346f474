"""Runs disturbances next to a person who goes on asking plain questions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread

import httpx

from benchmarks.frozen.person import Deed, Json, Person, RefusedError

PLAIN = "plain question"
QUIET = "quiet"
PLAIN_PAUSE = 0.5
"""Seconds between an answer and the next plain question."""
SETTLED = 0.3
"""Seconds within which ``/ready`` answers when nothing goes on."""
SETTLING = 40.0
"""Seconds that the server has to become quiet again after a phase."""

Actor = Callable[[Event], None]
"""Acts until it has done all, or until the event is set."""


@dataclass
class Phase:
    """A time of the run. ``began`` and ``ended``: monotonic clock; ``clock``: the epoch at its beginning."""

    name: str
    began: float
    clock: float
    ended: float = 0.0
    lag: float = 0.0
    pauses: list[Json] = field(default_factory=list)
    stopped: list[Json] = field(default_factory=list)


@dataclass
class Run:
    """What a run has: the eleventh person with their questions, an administrator, and what happened."""

    plain: Person
    questions: Sequence[str]
    administrator: Person
    log: list[Deed]
    phases: list[Phase] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @contextmanager
    def phase(self, name: str) -> Iterator[Phase]:
        """A phase, with what the server says of its pauses at the end."""
        phase = Phase(name, time.monotonic(), time.time())
        self.phases.append(phase)
        print(f"{name} …", flush=True)
        try:
            yield phase
        finally:
            self._look_at_the_server(phase)
            phase.ended = time.monotonic()

    def disturbed(self, name: str, seconds: float, least: float, until: Sequence[Actor], *others: Actor) -> None:
        """Ask plain questions while the actors act: until all of ``until`` are done, ``least`` to ``seconds`` long."""
        stop = Event()
        with self.phase(name) as phase:
            threads = [Thread(target=actor, args=(stop,)) for actor in (*until, *others, self.asks_plain)]
            for thread in threads:
                thread.start()
            for thread in threads[: len(until)]:
                thread.join(max(0.0, phase.began + seconds - time.monotonic()))
            stop.wait(max(0.0, phase.began + (least if until else seconds) - time.monotonic()))
            stop.set()
            for thread in threads:
                thread.join()
        self.settle()

    def asks_plain(self, stop: Event) -> None:
        """Ask one plain question after another."""
        place = 0
        while not stop.is_set():
            question = self.questions[place % len(self.questions)]
            self.plain.does(PLAIN, question, lambda: self.plain.ask(question))  # noqa: B023 -- called at once
            place += 1
            stop.wait(PLAIN_PAUSE)

    def quiet(self, rounds: int) -> None:
        """Ask each plain question once to warm up, then so many times, while nothing else goes on."""
        for name, times in (("warming up", 1), (QUIET, rounds)):
            with self.phase(name):
                for question in [*self.questions] * times:
                    self.plain.does(PLAIN, question, lambda: self.plain.ask(question))  # noqa: B023 -- called at once

    def settle(self) -> None:
        """Wait until nothing is worked on and ``/ready`` answers soon."""
        with self.phase("settling"):
            ends = time.monotonic() + SETTLING
            while not self._is_settled():
                if time.monotonic() > ends:
                    self.notes.append(f"the server was still at work {SETTLING:.0f} s after: {self.phases[-2].name}")
                    return
                time.sleep(0.5)

    def _is_settled(self) -> bool:
        began = time.monotonic()
        try:
            self.administrator.http.get("/ready").raise_for_status()
            soon = time.monotonic() - began < SETTLED
            return soon and all(work["waits"] for work in self.administrator.call("get_system")["under_way"])
        except (httpx.HTTPError, RefusedError):
            return False

    def _look_at_the_server(self, phase: Phase) -> None:
        """Read the longest lag, and the pauses and stopped calculations of the phase."""
        try:
            metrics = self.administrator.http.get("/metrics").text
            report = self.administrator.call("get_system")["responsiveness"]
        except (httpx.HTTPError, RefusedError) as error:
            self.notes.append(f"{phase.name}: the server does not say what held it up: {error}")
            return
        phase.lag = metric(metrics, "palimpsest_loop_lag_seconds")
        phase.pauses, phase.stopped = (
            [entry for entry in report[kind] if entry["at"] >= phase.clock] for kind in ("pauses", "stopped")
        )


def metric(text: str, name: str) -> float:
    """A gauge of Prometheus' text form; 0 where it is missing."""
    values = (line.rpartition(" ") for line in text.splitlines() if line.startswith(f"{name} "))
    return next((float(value) for _, _, value in values), 0.0)
